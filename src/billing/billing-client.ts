import type {
  BillingCallOptions,
  BillingClientOptions,
  EventQuery,
  ListResponse,
  PageQuery,
  RecordResponse,
  ReplayResponse,
  StatementIdQuery,
  WebhookQuery,
} from './billing-client-types.ts';
import { BillingError } from './errors/billing-error.ts';
import { openPdfStream, type PdfStream } from './http/pdf-stream.ts';
import { RequestPacer, type RequestPacingState } from './http/request-pacing.ts';
import { toAllocationRequestXml, toReplayRequestXml } from './http/request-xml.ts';
import {
  type BillingRequest,
  type DecodedRequest,
  type DecodedResponse,
  performRequest,
  type RequestContext,
} from './http/requests.ts';
import type { BillingDataFormat } from './http/response-decoding.ts';
import { parseBaseUrl } from './http/service-address.ts';
import { createHttpTransport, type HttpTransportTimeouts } from './http/transport.ts';
import {
  type Allocation,
  allocationRecordShape,
  type NewAllocation,
  type NewAllocationBatch,
  toAllocationBatchBody,
  toAllocationBody,
} from './records/allocations.ts';
import {
  createListResponseReader,
  createRecordResponseReader,
  readReplayStatus,
  readStatementIdList,
} from './records/response-readers.ts';
import {
  type SiteRecord,
  siteRecordShape,
  type WebhookEndpointRecord,
  webhookEndpointRecordShape,
} from './records/sites.ts';
import {
  eventRecordShape,
  type Statement,
  type StatementEvent,
  statementRecordShape,
} from './records/statements.ts';
import { type Webhook, webhookRecordShape } from './records/webhooks.ts';

/** The service ends a request after 120 s. Another minute is left to transfer the response, by judgment. */
const TIMEOUTS: HttpTransportTimeouts = { connect: 10_000, headers: 130_000, body: 60_000, total: 180_000 };
const CONTENT_TYPES: Readonly<Record<BillingDataFormat, string>> = {
  json: 'application/json',
  xml: 'application/xml',
};

/** Client with one method per operation of the service's interface (section 4). All methods throw only BillingError. */
export type BillingClient = Pick<SiteBillingClient, keyof SiteBillingClient>;

/**
 * Creates the client of one site's billing service without sending a request. Throws `validation` if the address is
 * invalid. Create only one client per site, because its request pacer enforces the site's rate limit.
 */
export const createBillingClient = (options: BillingClientOptions): BillingClient =>
  new SiteBillingClient(options);

/** The parts of a request that differ between operations. */
type Operation = Pick<BillingRequest, 'kind' | 'path' | 'activity' | 'notFoundText'>;

class SiteBillingClient {
  readonly pacing: { state(): RequestPacingState };
  readonly #format: BillingDataFormat;
  readonly #context: RequestContext;
  readonly #closing = new AbortController();
  readonly #endOfClient: AbortSignal;
  /**
   * Combined abort signal per caller's signal. Cached, because signals combined for each request are costly to clean
   * up.
   */
  readonly #combinedSignals = new WeakMap<AbortSignal, AbortSignal>();

  constructor(options: BillingClientOptions) {
    const { format, now = Date.now } = options;
    const address = parseBaseUrl(options.baseUrl);
    const pacer = new RequestPacer({ now, ...options.pacing });
    this.#format = format;
    this.#context = {
      address,
      transport: createHttpTransport(address, pacer.state().max, { ...TIMEOUTS, ...options.timeouts }),
      pacer,
      getApiKey: options.getApiKey,
      now,
      onRequest: options.onRequest,
      hasReachedService: false,
    };
    this.pacing = { state: () => pacer.state() };
    const { signal } = this.#closing;
    this.#endOfClient = options.signal ? AbortSignal.any([signal, options.signal]) : signal;
  }

  /** Lists webhooks (interface 4.1). */
  async listWebhooks(
    query: WebhookQuery = {},
    options: BillingCallOptions = {},
  ): Promise<ListResponse<Webhook>> {
    const operation: Operation = {
      kind: 'webhooks',
      path: withQuery(`/webhooks.${this.#format}`, query),
      activity: 'listing webhooks',
      notFoundText: 'has no webhook log at this address',
    };
    return this.#readList(operation, createListResponseReader('webhooks', webhookRecordShape), options);
  }

  /** Queues webhooks for resending (interface 4.2). If the response is lost, the error has `outcome_unknown`. */
  async replayWebhooks(ids: readonly number[], options: BillingCallOptions = {}): Promise<ReplayResponse> {
    for (const id of ids) toIdText('webhook', id);
    if (ids.length === 0) {
      throw new BillingError('validation', 'No webhooks to replay.', {
        hint: 'Select at least one webhook.',
      });
    }
    const operation: Operation = {
      kind: 'replay',
      path: `/webhooks/replay.${this.#format}`,
      activity: ids.length === 1 ? `replaying webhook ${ids[0]}` : `replaying ${ids.length} webhooks`,
      notFoundText: 'cannot replay webhooks at this address',
    };
    const content = this.#format === 'json' ? toJsonContent({ ids }) : toXmlContent(toReplayRequestXml(ids));
    const request = this.#createRequest(operation, options, content);
    const decoding = { format: this.#format, read: readReplayStatus };
    const { value, meta } = await performRequest(this.#context, { ...request, ...decoding });
    return { status: value, meta };
  }

  /** Lists allocations, newest first, 50 per page (interface 4.3). Pages past the end are empty. */
  async listAllocations(
    subscription: number,
    component: number,
    page?: number,
    { format = this.#format, ...options }: BillingCallOptions & { format?: BillingDataFormat } = {},
  ): Promise<ListResponse<Allocation>> {
    const { path, notFoundText, description } = describeSubscriptionComponent(subscription, component);
    const operation: Operation = {
      kind: 'allocations',
      path: withQuery(`${path}/allocations.${format}`, { page }),
      activity: `listing the allocations of ${description}`,
      notFoundText,
    };
    return this.#readList(
      operation,
      createListResponseReader('allocations', allocationRecordShape),
      options,
      format,
    );
  }

  /** Creates an allocation (interface 4.4). `item` is null if it was created but the response is unreadable. */
  async createAllocation(
    subscription: number,
    component: number,
    input: NewAllocation,
    options: BillingCallOptions = {},
  ): Promise<RecordResponse<Allocation>> {
    const { path, notFoundText, description } = describeSubscriptionComponent(subscription, component);
    const body = toAllocationBody(input);
    const operation: Operation = {
      kind: 'create_allocation',
      path: `${path}/allocations.${this.#format}`,
      activity: `creating an allocation of ${description}`,
      notFoundText,
    };
    const content =
      this.#format === 'json' ? toJsonContent(body) : toXmlContent(toAllocationRequestXml(body));
    const response = await performRequest(this.#context, {
      ...this.#createRequest(operation, options, content),
      format: this.#format,
      read: createRecordResponseReader('allocation', allocationRecordShape),
      valueIfUnreadable: null,
    });
    return toRecordResponse(response);
  }

  /** Creates several allocations (interface 4.5), always in JSON. Missing items were created but are unreadable. */
  async createAllocations(
    subscription: number,
    input: NewAllocationBatch,
    options: BillingCallOptions = {},
  ): Promise<ListResponse<Allocation>> {
    const operation: Operation = {
      kind: 'create_allocations',
      path: `/subscriptions/${toIdText('subscription', subscription)}/allocations.json`,
      activity: `creating ${input.allocations.length} allocations on subscription ${subscription}`,
      notFoundText: `has no subscription ${subscription}, or at least one component is not on it`,
    };
    const response = await performRequest(this.#context, {
      ...this.#createRequest(operation, options, toJsonContent(toAllocationBatchBody(input)), 'json'),
      format: 'json',
      read: createListResponseReader('allocations', allocationRecordShape),
      valueIfUnreadable: [],
    });
    return toListResponse(response);
  }

  /** Lists the statement ids of a subscription (interface 4.6). */
  async listStatementIdsOfSubscription(
    subscription: number,
    query: StatementIdQuery = {},
    options: BillingCallOptions = {},
  ): Promise<ListResponse<number>> {
    const path = `/subscriptions/${toIdText('subscription', subscription)}/statements/ids.${this.#format}`;
    const operation: Operation = {
      kind: 'statement_ids',
      path: withQuery(path, query),
      activity: `listing the statement ids of subscription ${subscription}`,
      notFoundText: `has no subscription ${subscription}`,
    };
    return this.#readList(operation, readStatementIdList, options);
  }

  /** Lists the statement ids of the site (interface 4.7). */
  async listStatementIds(
    query: PageQuery = {},
    options: BillingCallOptions = {},
  ): Promise<ListResponse<number>> {
    const operation: Operation = {
      kind: 'statement_ids',
      path: withQuery(`/statements/ids.${this.#format}`, query),
      activity: 'listing the statement ids of the site',
      notFoundText: 'has no statements at this address',
    };
    return this.#readList(operation, readStatementIdList, options);
  }

  /** Lists the statements of a subscription (interface 4.8). */
  async listStatements(
    subscription: number,
    query: PageQuery = {},
    options: BillingCallOptions = {},
  ): Promise<ListResponse<Statement>> {
    const path = `/subscriptions/${toIdText('subscription', subscription)}/statements.${this.#format}`;
    const operation: Operation = {
      kind: 'statements',
      path: withQuery(path, query),
      activity: `listing the statements of subscription ${subscription}`,
      notFoundText: `has no subscription ${subscription}`,
    };
    return this.#readList(operation, createListResponseReader('statements', statementRecordShape), options);
  }

  /** Reads a statement (interface 4.9). */
  async readStatement(id: number, options: BillingCallOptions = {}): Promise<RecordResponse<Statement>> {
    const operation: Operation = {
      kind: 'statement',
      path: `/statements/${toIdText('statement', id)}.${this.#format}`,
      activity: `reading statement ${id}`,
      notFoundText: `has no statement ${id}`,
    };
    const response = await performRequest(this.#context, {
      ...this.#createRequest(operation, options),
      format: this.#format,
      read: createRecordResponseReader('statement', statementRecordShape),
    });
    return toRecordResponse(response);
  }

  /** Downloads a statement PDF (interface 4.9), requested by the suffix `.pdf` or by headers. */
  async readStatementPdf(
    id: number,
    { requestedBy = 'suffix', ...options }: BillingCallOptions & { requestedBy?: 'suffix' | 'header' } = {},
  ): Promise<PdfStream> {
    const operation: Operation = {
      kind: 'statement_pdf',
      path: `/statements/${toIdText('statement', id)}${requestedBy === 'suffix' ? '.pdf' : ''}`,
      activity: `downloading the PDF of statement ${id}`,
      notFoundText: `has no statement ${id}`,
    };
    return openPdfStream(this.#context, {
      ...this.#createRequest(operation, options),
      accept: 'application/pdf',
      content: requestedBy === 'header' ? { type: 'application/pdf', text: '' } : null,
    });
  }

  /** Reads the site's description. Services without one answer with `not_found` or another error. */
  async readSite(options: BillingCallOptions = {}): Promise<RecordResponse<SiteRecord>> {
    const operation: Operation = {
      kind: 'site',
      path: '/site.json',
      activity: 'reading the description of the site',
      notFoundText: 'does not describe its site',
    };
    const response = await performRequest(this.#context, {
      ...this.#createRequest(operation, options, null, 'json'),
      format: 'json',
      read: createRecordResponseReader('site', siteRecordShape),
    });
    return toRecordResponse(response);
  }

  /** Lists the endpoints that receive the site's webhooks. Only later versions of the service have this list. */
  async listWebhookEndpoints(options: BillingCallOptions = {}): Promise<ListResponse<WebhookEndpointRecord>> {
    const operation: Operation = {
      kind: 'endpoints',
      path: '/endpoints.json',
      activity: 'listing the webhook endpoints',
      notFoundText: 'does not list its webhook endpoints',
    };
    const read = createListResponseReader('endpoints', webhookEndpointRecordShape);
    return this.#readList(operation, read, options, 'json');
  }

  /** Lists the site's events, newest first by default. Only later versions of the service have this list. */
  async listEvents(
    query: EventQuery = {},
    options: BillingCallOptions = {},
  ): Promise<ListResponse<StatementEvent>> {
    const operation: Operation = {
      kind: 'events',
      path: withQuery('/events.json', query),
      activity: 'listing events',
      notFoundText: 'does not list its events',
    };
    return this.#readList(operation, createListResponseReader('events', eventRecordShape), options, 'json');
  }

  /** Aborts all running and waiting calls and closes the connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#context.transport.close();
  }

  async #readList<Entity>(
    operation: Operation,
    read: DecodedRequest<Entity[]>['read'],
    options: BillingCallOptions,
    format = this.#format,
  ): Promise<ListResponse<Entity>> {
    const request = this.#createRequest(operation, options, null, format);
    return toListResponse(await performRequest(this.#context, { ...request, format, read }));
  }

  #createRequest(
    operation: Operation,
    { signal, maxAttempts }: BillingCallOptions,
    content: BillingRequest['content'] = null,
    format = this.#format,
  ): BillingRequest {
    return {
      ...operation,
      host: this.#context.address.host,
      method: content === null ? 'GET' : 'POST',
      isWrite: content !== null,
      accept: CONTENT_TYPES[format],
      content,
      signal: signal ? this.#combineSignals(signal) : this.#endOfClient,
      maxAttempts,
    };
  }

  #combineSignals(signal: AbortSignal): AbortSignal {
    const combined = this.#combinedSignals.get(signal) ?? AbortSignal.any([this.#endOfClient, signal]);
    this.#combinedSignals.set(signal, combined);
    return combined;
  }
}

function toIdText(recordName: string, id: number): string {
  if (Number.isSafeInteger(id) && id >= 0) return String(id);
  throw new BillingError('validation', `${id} is not a valid ${recordName} id.`, {
    hint: 'Enter the id as a whole number.',
  });
}

function withQuery(path: string, query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

function describeSubscriptionComponent(subscription: number, component: number) {
  return {
    path: `/subscriptions/${toIdText('subscription', subscription)}/components/${toIdText('component', component)}`,
    notFoundText: `has no component ${component} on a subscription ${subscription}`,
    description: `component ${component} on subscription ${subscription}`,
  };
}

function toListResponse<Entity>({ value, problems, meta }: DecodedResponse<Entity[]>): ListResponse<Entity> {
  return { items: value, problems, meta };
}

function toRecordResponse<Entity>(response: DecodedResponse<Entity | null>): RecordResponse<Entity> {
  const { value, problems, meta } = response;
  return { item: value, problems, meta };
}

const toJsonContent = (body: object) => ({ type: CONTENT_TYPES.json, text: JSON.stringify(body) });
const toXmlContent = (text: string) => ({ type: CONTENT_TYPES.xml, text });
