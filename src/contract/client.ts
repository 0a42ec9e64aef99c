import { type ClientContext, type ClientLink, createORPCClient, DynamicLink, ORPCError } from '@orpc/client';
import { getContractRouter, isContractProcedure } from '@orpc/contract';
import { type Client, contract } from './contract.ts';
import { type ErrorCode, type ErrorData, type ErrorValue, errorCode, errorData } from './errors.ts';
import type { Kind, ProcedureMeta } from './kinds.ts';

export type Thread = 'reader' | 'writer';
export type Link = ClientLink<ClientContext>;

/** The kind of the procedure at this path of the contract; null where there is none. */
export function kindOf(path: readonly string[]): Kind | null {
  const procedure = getContractRouter(contract, path);
  return isContractProcedure(procedure) ? (procedure['~orpc'].meta as ProcedureMeta).kind : null;
}

/** Queries go to the reader, so that a page never waits behind a write; all else to the writer. */
export function threadOf(path: readonly string[]): Thread {
  return kindOf(path) === 'query' ? 'reader' : 'writer';
}

/** A client of the whole contract over one link to each thread. */
export function createClient(links: Record<Thread, Link>): Client {
  return createORPCClient(new DynamicLink((_options, path) => links[threadOf(path)]));
}

/**
 * A link that ends: once `closed` is aborted, every call under way and every later one rejects with `disconnected`
 * instead of waiting for an answer that cannot come.
 */
export function endingLink(link: Link, closed: AbortSignal): Link {
  return {
    async call(path, input, options) {
      if (closed.aborted) throw disconnected();
      const signal = options.signal ? AbortSignal.any([options.signal, closed]) : closed;
      try {
        return await link.call(path, input, { ...options, signal });
      } catch (error) {
        throw closed.aborted && !options.signal?.aborted ? disconnected() : error;
      }
    },
  };
}

/** Makes an error of the contract, to be thrown by a handler. */
export function contractError(error: ErrorValue): ORPCError<ErrorCode, ErrorData> {
  const { code, message, ...data } = error;
  return new ORPCError(code, { message, data });
}

function disconnected() {
  return contractError({
    code: 'disconnected',
    message: 'The connection to the backend ended.',
    hint: 'It is being restored; what was stored is safe.',
    retryable: true,
  });
}

/** Reads any thrown thing as an error of the contract; what is not one of ours becomes `internal`. */
export function errorOf(thrown: unknown): ErrorValue {
  if (thrown instanceof ORPCError) {
    const code = errorCode.safeParse(thrown.code);
    const data = errorData.safeParse(thrown.data);
    if (code.success) {
      return {
        code: code.data,
        message: thrown.message,
        ...(data.success ? data.data : { retryable: false }),
      };
    }
  }
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return { code: 'cancelled', message: 'Cancelled.', retryable: false };
  }
  return { code: 'internal', message: 'Something unexpected went wrong.', retryable: false };
}
