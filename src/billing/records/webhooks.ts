import {
  defineRecordShape,
  type InferRecord,
  readAnyValue,
  readBoolean,
  readDatetime,
  readRequiredId,
  readText,
} from './record-reader.ts';

export const webhookRecordShape = defineRecordShape(['webhook'], {
  id: readRequiredId,
  /** True only if the service explicitly reports success; false if the field is absent or null. */
  successful: (...field) => readBoolean(...field) ?? false,
  event: (...field) => readText(...field) ?? '',
  /** Webhook body as sent. The service sends form-encoded text, but the interface specifies no type. */
  body: readAnyValue,
  signature: readText,
  created_at: readDatetime,
  accepted_at: readDatetime,
  last_sent_at: readDatetime,
  last_error_at: readDatetime,
  last_sent_url: readText,
  last_error: readText,
});

/** An entry of the webhook log (interface 2.1). */
export type Webhook = InferRecord<typeof webhookRecordShape>;
