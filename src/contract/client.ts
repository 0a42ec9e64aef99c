import { type ClientContext, type ClientLink, createORPCClient, DynamicLink, ORPCError } from '@orpc/client';
import { getContractRouter, isContractProcedure } from '@orpc/contract';
import { type BackendClient, backendContract } from './contract.ts';
import { createContractError } from './shared/contract-error.ts';
import { contractErrorDataSchema, type ErrorValue, errorCodeSchema } from './shared/errors.ts';
import type { ProcedureKind, ProcedureMeta } from './shared/procedure-kinds.ts';

export type BackendThread = 'reader' | 'writer';

/** Code with which the browser host closes the WebSockets of a page that another page has replaced. */
export const PAGE_REPLACED_CODE = 4001;
export type BackendLink = ClientLink<ClientContext>;

/** Returns the kind of the procedure at a path; null if there is none. */
export function getProcedureKind(path: readonly string[]): ProcedureKind | null {
  const procedure = getContractRouter(backendContract, path);
  return isContractProcedure(procedure) ? (procedure['~orpc'].meta as ProcedureMeta).kind : null;
}

/** Returns the thread for a procedure. The reader answers queries, so that they never wait for a write. */
export function getProcedureThread(path: readonly string[]): BackendThread {
  return getProcedureKind(path) === 'query' ? 'reader' : 'writer';
}

/** Creates a client of the complete contract, with one link to each thread. */
export function createBackendClient(links: Record<BackendThread, BackendLink>): BackendClient {
  return createORPCClient(new DynamicLink((_options, path) => links[getProcedureThread(path)]));
}

/** Creates a link that rejects all calls and streams with `disconnected` after `closed` aborts. */
export function createClosableLink(link: BackendLink, closed: AbortSignal): BackendLink {
  return {
    async call(path, input, options) {
      if (closed.aborted) throw disconnected();
      const output = await untilEnd(link.call(path, input, options), closed);
      return isStream(output) ? endingStream(output, closed) : output;
    },
  };
}

export type Stream = AsyncIterator<unknown, unknown, unknown>;

/** Returns true if a procedure returned a stream of values. */
export function isStream(output: unknown): output is Stream {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}

function endingStream(stream: Stream, closed: AbortSignal): AsyncIterableIterator<unknown> {
  return {
    next: async () => {
      if (closed.aborted) throw disconnected();
      return await untilEnd(stream.next(), closed);
    },
    return: async (value) => {
      if (closed.aborted || !stream.return) return { done: true, value };
      return await untilEnd(stream.return(value), closed);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Returns the result of `work`. Rejects with `disconnected` if the link closes first. */
async function untilEnd<Result>(work: Promise<Result>, closed: AbortSignal): Promise<Result> {
  try {
    return await untilAborted(work, closed);
  } catch (error) {
    // A call can fail shortly before its channel is reported as closed.
    if (!(error instanceof ORPCError)) await new Promise((resolve) => setTimeout(resolve));
    throw closed.aborted ? disconnected() : error;
  }
}

/** Returns the result of `work`. Rejects with the reason of `signal` as soon as it aborts, even if the work continues. */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const reject = () => aborted.reject(signal.reason);
  if (signal.aborted) reject();
  else signal.addEventListener('abort', reject);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', reject);
  }
}

function disconnected() {
  return createContractError({
    code: 'disconnected',
    message: 'The connection to the backend ended.',
    hint: 'Tieout is reconnecting to it. Stored data is safe.',
    retryable: true,
  });
}

/** Converts any thrown value to a contract error. Unknown errors become `internal`. */
export function toContractError(thrown: unknown): ErrorValue {
  if (thrown instanceof ORPCError) {
    const code = errorCodeSchema.safeParse(thrown.code);
    const data = contractErrorDataSchema.safeParse(thrown.data);
    if (code.success) {
      return {
        code: code.data,
        message: thrown.message,
        ...(data.success ? data.data : { retryable: false }),
      };
    }
  }
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return { code: 'canceled', message: 'Canceled.', retryable: false };
  }
  return { code: 'internal', message: 'An unexpected error occurred.', retryable: false };
}
