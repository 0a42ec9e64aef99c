/** Client of the billing service, with every endpoint in JSON, XML and PDF. Contains no SQL and no business logic. */

export { type BillingClient, createBillingClient } from './billing-client.ts';
export type {
  BillingCallOptions,
  BillingClientOptions,
  ListResponse,
  PageQuery,
  RecordResponse,
  ReplayResponse,
  StatementIdQuery,
  WebhookQuery,
} from './billing-client-types.ts';
export { BillingError, type BillingErrorCode } from './errors/billing-error.ts';
export { isServiceUnreachable } from './errors/network-errors.ts';
export { hasTimeZone, parseInstant } from './formats/instant.ts';
export type { JsonObject, JsonValue } from './formats/json-value.ts';
export { type EndpointAddress, parseEndpointAddress } from './http/endpoint-address.ts';
export type { PdfStream } from './http/pdf-stream.ts';
export { postJson } from './http/post-json.ts';
export { fetchPublic, requirePublicHost } from './http/public-network.ts';
export type { RequestPacingOptions, RequestPacingState } from './http/request-pacing.ts';
export type { RequestEvent, RequestKind } from './http/requests.ts';
export type { BillingDataFormat } from './http/response-decoding.ts';
export { parseBaseUrl } from './http/service-address.ts';
export type { HttpTransportTimeouts } from './http/transport.ts';
export {
  type EndpointResponse,
  openWebhookEndpoint,
  type WebhookEndpoint,
} from './http/webhook-endpoint.ts';
export type { Allocation, NewAllocation, NewAllocationBatch } from './records/allocations.ts';
export type { ExtraFields, Quantity, ResponseMetadata, ResponseReadProblem } from './records/record-types.ts';
export type { SiteRecord, WebhookEndpointRecord } from './records/sites.ts';
export type { FuturePayment, Statement, StatementEvent, Transaction } from './records/statements.ts';
export { parseWebhookBody, type WebhookBody, type WebhookBodyIds } from './records/webhook-body.ts';
export {
  computeWebhookSignatures,
  findSignatureAlgorithm,
  matchSignature,
  type WebhookSignatures,
} from './records/webhook-signatures.ts';
export type { Webhook } from './records/webhooks.ts';
