import type { PacingOptions } from './http/request-pacing.ts';
import type { RequestEvent } from './http/requests.ts';
import type { BillingFormat } from './http/response-decoding.ts';
import type { TransportTimeouts } from './http/transport.ts';
import type { ReadProblem, ResponseMeta } from './records/entities.ts';

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
  /** Maximum number of attempts of a read, including the first one. The default comes from the pacing options. */
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

export interface PageQuery {
  page?: number;
  per_page?: number;
}

export interface WebhookQuery extends PageQuery {
  status?: 'successful' | 'failed';
  /** First day to include, `YYYY-MM-DD`. */
  since_date?: string;
  until_date?: string;
  order?: 'newest_first' | 'oldest_first';
}

export interface StatementIdQuery extends PageQuery {
  sort?: 'created_at' | 'opened_at' | 'closed_at';
  direction?: 'asc' | 'desc';
}
