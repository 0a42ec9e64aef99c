/** The client of the billing service: all of its interface, in JSON, XML and PDF. No SQL, no business. */

export { parseBaseUrl } from './address.ts';
export type { NewAllocation, NewAllocations } from './allocations.ts';
export type { Format } from './answers.ts';
export { createBillingClient } from './client.ts';
export type {
  Allocation,
  AnswerMeta,
  Extra,
  FuturePayment,
  Problem,
  Quantity,
  Statement,
  StatementEvent,
  Transaction,
  Webhook,
} from './entities.ts';
export { BillingError, type BillingErrorCode } from './errors.ts';
export { hasZone, instant } from './instant.ts';
export { isUnreachable } from './network-errors.ts';
export type {
  BillingClient,
  BillingClientOptions,
  CallOptions,
  ListAnswer,
  PageQuery,
  RecordAnswer,
  ReplayAnswer,
  StatementIdQuery,
  WebhookQuery,
} from './operations.ts';
export type { PacingOptions, PacingState } from './pacing.ts';
export type { PdfStream } from './pdf.ts';
export type { RequestEvent, RequestKind } from './requests.ts';
export { checkSignature, type Signatures, signatureOf } from './signatures.ts';
export type { Timeouts } from './transport.ts';
export type { JsonObject, JsonValue } from './value.ts';
export { parseWebhookBody, type WebhookBody, type WebhookHints } from './webhook-body.ts';
