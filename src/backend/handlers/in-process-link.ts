import { setImmediate } from 'node:timers/promises';
import { ORPCError } from '@orpc/client';
import {
  type AnyProcedure,
  type AnyRouter,
  createProcedureClient,
  getRouter,
  isProcedure,
  unlazy,
} from '@orpc/server';
import { type BackendLink, isStream, type Stream, untilAborted } from '../../contract/index.ts';

/** Runs around each call of a procedure. */
type CallInterceptor = (call: { next: () => Promise<unknown>; path: readonly string[] }) => Promise<unknown>;

/**
 * Creates a link that calls the procedures directly. Values are copied as between threads, so that caller and handler
 * share no object. Each call lets pending work of the process run first, so that a series of calls cannot block a job.
 * The handler is aborted if the caller aborts the call, ends its stream or aborts `closed`.
 */
export function createInProcessLink(
  router: AnyRouter,
  interceptors: readonly CallInterceptor[],
  closed: AbortSignal,
): BackendLink {
  return {
    async call(path, input, options) {
      const procedure = await findProcedure(router, path);
      if (procedure === null) throw new ORPCError('NOT_FOUND');
      const callProcedure = createProcedureClient(procedure, { context: {}, interceptors, path } as object);
      const streamEnd = new AbortController();
      const signals = [streamEnd.signal, closed, ...(options.signal ? [options.signal] : [])];
      const signal = AbortSignal.any(signals);
      const copiedInput = structuredClone(input);
      await setImmediate();
      const output = await untilAborted(callProcedure(copiedInput, { signal }), signal);
      return isStream(output) ? copyStream(output, streamEnd, signal) : structuredClone(output);
    },
  };
}

/** Returns the procedure at a path, loading its group if necessary. Null if there is none. */
export async function findProcedure(
  router: AnyRouter,
  path: readonly string[],
): Promise<AnyProcedure | null> {
  const { default: found } = await unlazy(getRouter(router, path));
  return isProcedure(found) ? found : null;
}

/** Copies every value of a stream. On abort, the source stream ends even if nobody reads from it. */
function copyStream(
  source: Stream,
  streamEnd: AbortController,
  signal: AbortSignal,
): AsyncIterableIterator<unknown> {
  const endSource = () => void source.return?.().catch(() => undefined);
  if (signal.aborted) endSource();
  else signal.addEventListener('abort', endSource, { once: true });
  return {
    async next() {
      if (streamEnd.signal.aborted) return { done: true, value: undefined };
      const { done = false, value } = await untilAborted(source.next(), signal);
      return { done, value: structuredClone(value) };
    },
    async return(value) {
      streamEnd.abort();
      return { done: true, value };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
