import type { JsonValue } from '../formats/json-value.ts';
import {
  defineRecordShape,
  type InferRecord,
  type RowContext,
  readBoolean,
  readInteger,
  readText,
  toListItems,
} from './record-reader.ts';

/** Reads a list of texts. Returns null if the field is missing or not a list. */
function readTextList(_row: RowContext, _field: string, value: JsonValue | undefined): string[] | null {
  if (value === undefined || value === null) return null;
  return toListItems(value, [])?.filter((item) => typeof item === 'string') ?? null;
}

export const siteRecordShape = defineRecordShape(['site'], {
  id: readInteger,
  name: readText,
  subdomain: readText,
  currency: readText,
  non_primary_currencies: readTextList,
  /** True if the site bills by invoices, so that it has no statements. */
  relationship_invoicing_enabled: readBoolean,
  test: readBoolean,
});

/** The service's description of a site, from `GET /site.json`. Earlier versions of the service have none. */
export type SiteRecord = InferRecord<typeof siteRecordShape>;

export const webhookEndpointRecordShape = defineRecordShape(['endpoint'], {
  id: readInteger,
  url: readText,
  /** Status as the service names it, for example `enabled`, `paused` or `disabled`. */
  status: readText,
});

/** An address to which the service sends webhooks, from `GET /endpoints.json`. */
export type WebhookEndpointRecord = InferRecord<typeof webhookEndpointRecordShape>;
