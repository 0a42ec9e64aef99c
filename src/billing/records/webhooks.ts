import type { JsonObject } from '../formats/json-value.ts';
import type { Webhook } from './entities.ts';
import {
  type RecordShape,
  type RowContext,
  readAnyValue,
  readBoolean,
  readDatetime,
  readExtraFields,
  readRequiredId,
  readText,
} from './record-reader.ts';

const webhookFields = new Set([
  'id',
  'successful',
  'event',
  'body',
  'signature',
  'created_at',
  'accepted_at',
  'last_sent_at',
  'last_error_at',
  'last_sent_url',
  'last_error',
]);

export const webhookRecordShape: RecordShape<Webhook> = {
  wrapperKeys: ['webhook'],
  knownFields: webhookFields,
  read: (row: RowContext, sent: JsonObject): Webhook => ({
    id: readRequiredId(row, 'id', sent['id']),
    successful: readBoolean(row, 'successful', sent['successful']) ?? false,
    event: readText(row, 'event', sent['event']) ?? '',
    body: readAnyValue(row, 'body', sent['body']),
    signature: readText(row, 'signature', sent['signature']),
    created_at: readDatetime(row, 'created_at', sent['created_at']),
    accepted_at: readDatetime(row, 'accepted_at', sent['accepted_at']),
    last_sent_at: readDatetime(row, 'last_sent_at', sent['last_sent_at']),
    last_error_at: readDatetime(row, 'last_error_at', sent['last_error_at']),
    last_sent_url: readText(row, 'last_sent_url', sent['last_sent_url']),
    last_error: readText(row, 'last_error', sent['last_error']),
    extra: readExtraFields(row, webhookFields),
  }),
};
