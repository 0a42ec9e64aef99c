import type { NewAllocation, NewAllocations } from './allocations.ts';
import type { Format } from './answers.ts';
import type { Allocation, AnswerMeta, Problem, Statement, Webhook } from './entities.ts';
import type { PacingOptions, PacingState } from './pacing.ts';
import type { PdfStream } from './pdf.ts';
import type { RequestEvent } from './requests.ts';
import type { Timeouts } from './transport.ts';

export interface BillingClientOptions {
  /** https, or http on this machine; may have a path. */
  baseUrl: string;
  format: Format;
  /** Asked when a request is about to be made, for each; what it throws passes through. */
  key: () => Promise<string>;
  pacing?: PacingOptions;
  timeouts?: Partial<Timeouts>;
  now?: () => number;
  /** Ends every call of this client. */
  signal?: AbortSignal;
  onRequest?: (event: RequestEvent) => void;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Tries of a read, the first included; the pacing's own by default. 1 for a test of the connection. */
  tries?: number;
}

export interface ListAnswer<Entity> {
  items: Entity[];
  problems: Problem[];
  meta: AnswerMeta;
}

export interface RecordAnswer<Entity> {
  /** Null where the record could not be read; `problems` says why. */
  item: Entity | null;
  problems: Problem[];
  meta: AnswerMeta;
}

export interface ReplayAnswer {
  /** Queued, nothing more. */
  status: 'ok';
  meta: AnswerMeta;
}

export interface WebhookQuery {
  status?: 'successful' | 'failed';
  page?: number;
  per_page?: number;
  /** Days, `YYYY-MM-DD`, both included. */
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

/** The service's interface (section 4), one method an operation. Every method throws BillingError and nothing else. */
export interface BillingClient {
  /** 4.1 */
  listWebhooks(query?: WebhookQuery, options?: CallOptions): Promise<ListAnswer<Webhook>>;
  /** 4.2. Queues only. `outcome_unknown` on the error where the answer was lost. */
  replayWebhooks(ids: readonly number[], options?: CallOptions): Promise<ReplayAnswer>;
  /** 4.3. Newest first, 50 a page; empty past the end. By XML they come without their proration schemes. */
  listAllocations(
    subscription: number,
    component: number,
    page?: number,
    options?: CallOptions & { format?: Format },
  ): Promise<ListAnswer<Allocation>>;
  /** 4.4. `item` is null where it was created but the answer could not be read. */
  createAllocation(
    subscription: number,
    component: number,
    input: NewAllocation,
    options?: CallOptions,
  ): Promise<RecordAnswer<Allocation>>;
  /** 4.5. Always JSON. Fewer `items` than asked for, with problems: created, but the answer could not be read. */
  createAllocations(
    subscription: number,
    input: NewAllocations,
    options?: CallOptions,
  ): Promise<ListAnswer<Allocation>>;
  /** 4.6 */
  listStatementIdsOfSubscription(
    subscription: number,
    query?: StatementIdQuery,
    options?: CallOptions,
  ): Promise<ListAnswer<number>>;
  /** 4.7 */
  listStatementIds(query?: PageQuery, options?: CallOptions): Promise<ListAnswer<number>>;
  /** 4.8 */
  listStatements(
    subscription: number,
    query?: PageQuery,
    options?: CallOptions,
  ): Promise<ListAnswer<Statement>>;
  /** 4.9 */
  readStatement(id: number, options?: CallOptions): Promise<RecordAnswer<Statement>>;
  /** 4.9, as PDF: by the suffix `.pdf`, or by the Accept and Content-Type headers. */
  readStatementPdf(id: number, options?: CallOptions & { by?: 'suffix' | 'header' }): Promise<PdfStream>;
  readonly pacing: { state(): PacingState };
  /** Ends every call, running or waiting, and closes the connections. */
  close(): Promise<void>;
}
