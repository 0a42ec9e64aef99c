/** A value of a reconstructed payload. Nested records become bracketed form keys. */
export type PayloadValue = string | number | boolean | null | { readonly [name: string]: PayloadValue };
export type Payload = { readonly [name: string]: PayloadValue };

/** Facts that identify what a webhook or an event reports. Times are UTC milliseconds; ids are null if unknown. */
export interface NotificationIdentity {
  /** Name of the webhook event, for example `payment_success`. */
  readonly event: string;
  readonly at: number;
  readonly subscription_id: number | null;
  readonly event_id: number | null;
  /** Transaction that the event is about. Always null for events of statements. */
  readonly transaction_id: number | null;
  /** Statement that the event is about. Null for events that only belong to a statement. */
  readonly statement_id: number | null;
  readonly component_id: number | null;
}

/** Records from which a notification can be derived. */
export type NotificationSource =
  | 'transaction'
  | 'statement'
  | 'allocation'
  | 'statement_event'
  | 'events_feed';

/** A notification that the service must have generated, according to a record. */
export interface ExpectedNotification extends NotificationIdentity {
  /** Names the record, so that two notifications of the same event always differ in it. */
  readonly subject: string;
  readonly sources: readonly NotificationSource[];
  /** Facts from the record, in the names of the service's payloads. */
  readonly payload: Payload;
  /** True if the record may be part of a signup, for which the service sends no webhook. */
  readonly mayBeSignup: boolean;
}

/** A webhook of the stored log. */
export type LoggedNotification = NotificationIdentity;
