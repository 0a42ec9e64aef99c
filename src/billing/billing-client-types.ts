import type { RequestPacingOptions } from './http/request-pacing.ts';
import type { RequestEvent } from './http/requests.ts';
import type { BillingDataFormat } from './http/response-decoding.ts';
import type { HttpTransportTimeouts } from './http/transport.ts';
import type { ResponseMetadata, ResponseReadProblem } from './records/record-types.ts';

export interface BillingClientOptions {
  /** Address of the service: an `https` URL, or an `http` URL on this computer. It may contain a path. */
  baseUrl: string;
  format: BillingDataFormat;
  /** Returns the API key. Called before each request. The caller of the client receives the errors of this function. */
  getApiKey: () => Promise<string>;
  pacing?: RequestPacingOptions;
  timeouts?: Partial<HttpTransportTimeouts>;
  now?: () => number;
  /** Signal that aborts every call of the client. */
  signal?: AbortSignal;
  onRequest?: (event: RequestEvent) => void;
}

export interface BillingCallOptions {
  signal?: AbortSignal;
  /** Maximum number of attempts of a read, including the first one. The default comes from the pacing options. */
  maxAttempts?: number;
}

export interface ListResponse<Entity> {
  items: Entity[];
  problems: ResponseReadProblem[];
  meta: ResponseMetadata;
}

export interface RecordResponse<Entity> {
  /** The record; null if it could not be read. `problems` then states the reason. */
  item: Entity | null;
  problems: ResponseReadProblem[];
  meta: ResponseMetadata;
}

export interface ReplayResponse {
  /** Confirms that the webhooks are queued for resending. They may not have been sent yet. */
  status: 'ok';
  meta: ResponseMetadata;
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

export interface EventQuery extends PageQuery {
  direction?: 'asc' | 'desc';
  /** First day to include, `YYYY-MM-DD`. Earlier versions of the service ignore the days. */
  start_date?: string;
  end_date?: string;
}

export interface StatementIdQuery extends PageQuery {
  sort?: 'created_at' | 'opened_at' | 'closed_at';
  direction?: 'asc' | 'desc';
}
