import type { JsonValue } from '../formats/json-value.ts';

// Records use the service's field names and are identical for JSON and XML. Datetime fields contain the text as sent,
// which `parseInstant()` converts. Amounts are integer cents. Every field that does not identify the record may be
// null, even if the interface does not mention null.

/** Unknown fields and the original values of unreadable fields, as sent by the service. */
export type ExtraFields = Readonly<Record<string, JsonValue>>;

/**
 * Exact quantity of a component: a number if it is a safe integer, or decimal text without exponent, leading or trailing
 * zeros (`"2.5"`). The number 10, `"10"` and `"10.0"` all become 10.
 */
export type Quantity = number | string;

/** A value that could not be read as documented. It is reported, so that the rest of the response can be used. */
export interface ResponseReadProblem {
  /** Path of the value within the response, for example `webhooks[17].id`. */
  path: string;
  reason: string;
  /** JSON text of the affected row. If no row is affected, JSON text of the value. */
  raw: string;
  /**
   * `rejected` rows are not returned. In `kept` rows, the field is usually null, with its original value in `extra`.
   */
  outcome: 'rejected' | 'kept';
}

/** Reason of the problem for times without a zone. The time itself is known. */
export const NO_TIME_ZONE_REASON = 'has no time zone and is read as UTC (reported once per field)';

export interface ResponseMetadata {
  /** Service time from the Date header, in UTC milliseconds; null if there is none. */
  server_time: number | null;
  /** Time when the request started, by this computer's clock, in UTC milliseconds. */
  started_at: number;
  /** Size of the response body as transferred, in bytes. */
  bytes: number;
  status: number;
  request_id: string | null;
}
