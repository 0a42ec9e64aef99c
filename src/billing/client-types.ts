import type { PdfStream } from './http/pdf-stream.ts';
import type { PacingOptions, PacingState } from './http/request-pacing.ts';
import type { RequestEvent } from './http/requests.ts';
import type { BillingFormat } from './http/response-decoding.ts';
import type { TransportTimeouts } from './http/transport.ts';
import type { NewAllocation, NewAllocations } from './records/allocations.ts';
import type { Allocation, ReadProblem, ResponseMeta, Statement, Webhook } from './records/entities.ts';

export interface BillingClientOptions {
  /** Address of the service: an `https` URL, or `http` on this computer. It may contain a path. */
  baseUrl: string;
  format: BillingFormat;
  /** Returns the API key. Called before each request; its errors are passed on to the caller. */
  getApiKey: () => Promise<string>;
  pacing?: PacingOptions;
  timeouts?: Partial<TransportTimeouts>;
  now?: () => number;
  /** Signal that aborts every call of the client. */
  signal?: AbortSignal;
  onRequest?: (event: RequestEvent) => void;
}

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * Maximum number of attempts of a read, including the first one. The default comes from the pacing options; a
   * connection test uses 1.
   */
  maxAttempts?: number;
}

export interface ListResponse<Entity> {
  items: Entity[];
  problems: ReadProblem[];
  meta: ResponseMeta;
}

export interface RecordResponse<Entity> {
  /** The record; null if it could not be read. `problems` then contains the reason. */
  item: Entity | null;
  problems: ReadProblem[];
  meta: ResponseMeta;
}

export interface ReplayResponse {
  /** Confirms that the webhooks are queued for resending. They may not have been sent yet. */
  status: 'ok';
  meta: ResponseMeta;
}

export interface WebhookQuery {
  status?: 'successful' | 'failed';
  page?: number;
  per_page?: number;
  /** First day to include, `YYYY-MM-DD`. */
  since_date?: string;
  until_date?: string;
  order?: 'newest_first' | 'oldest_first';
}

export interface StatementIdQuery {
  page?: number;
  per_page?: number;
  sort?: 'created_at' | 'opened_at' | 'closed_at';
  direction?: 'asc' | 'desc';
}

export interface PageQuery {
  page?: number;
  per_page?: number;
}

/** Client with one method per operation of the service's interface (section 4). All methods throw only BillingError. */
export interface BillingClient {
  /** Lists webhooks (interface 4.1). */
  listWebhooks(query?: WebhookQuery, options?: CallOptions): Promise<ListResponse<Webhook>>;
  /** Queues webhooks for resending (interface 4.2). If the response is lost, the error has `outcome_unknown`. */
  replayWebhooks(ids: readonly number[], options?: CallOptions): Promise<ReplayResponse>;
  /**
   * Lists allocations, newest first, 50 per page (interface 4.3). Pages past the end are empty. XML responses omit
   * proration schemes.
   */
  listAllocations(
    subscription: number,
    component: number,
    page?: number,
    options?: CallOptions & { format?: BillingFormat },
  ): Promise<ListResponse<Allocation>>;
  /**
   * Creates an allocation (interface 4.4). `item` is null if the allocation was created but the response is unreadable.
   */
  createAllocation(
    subscription: number,
    component: number,
    input: NewAllocation,
    options?: CallOptions,
  ): Promise<RecordResponse<Allocation>>;
  /**
   * Creates several allocations (interface 4.5), always in JSON. If items are missing, all allocations were created, but
   * the response was not fully readable.
   */
  createAllocations(
    subscription: number,
    input: NewAllocations,
    options?: CallOptions,
  ): Promise<ListResponse<Allocation>>;
  /** Lists the statement ids of a subscription (interface 4.6). */
  listStatementIdsOfSubscription(
    subscription: number,
    query?: StatementIdQuery,
    options?: CallOptions,
  ): Promise<ListResponse<number>>;
  /** Lists the statement ids of the site (interface 4.7). */
  listStatementIds(query?: PageQuery, options?: CallOptions): Promise<ListResponse<number>>;
  /** Lists the statements of a subscription (interface 4.8). */
  listStatements(
    subscription: number,
    query?: PageQuery,
    options?: CallOptions,
  ): Promise<ListResponse<Statement>>;
  /** Reads a statement (interface 4.9). */
  readStatement(id: number, options?: CallOptions): Promise<RecordResponse<Statement>>;
  /**
   * Downloads a statement PDF (interface 4.9). It is requested by the suffix `.pdf` or by the Accept and Content-Type
   * headers.
   */
  readStatementPdf(
    id: number,
    options?: CallOptions & { requestedBy?: 'suffix' | 'header' },
  ): Promise<PdfStream>;
  readonly pacing: { state(): PacingState };
  /** Aborts all running and waiting calls and closes the connections. */
  close(): Promise<void>;
}
