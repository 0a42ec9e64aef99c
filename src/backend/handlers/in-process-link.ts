import { setImmediate } from 'node:timers/promises';
import { ORPCError } from '@orpc/client';
import type { AnyRouter } from '@orpc/server';
import { createRouterClient } from '@orpc/server';
import { type BackendLink, isStream, type Stream, untilAborted } from '../../contract/index.ts';

/** Runs around each call of a procedure. */
type CallInterceptor = (call: { next: () => Promise<unknown>; path: readonly string[] }) => Promise<unknown>;
type CallProcedure = (input: unknown, options: { signal: AbortSignal }) => Promise<unknown>;

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
  const client: unknown = createRouterClient(router, { context: {}, interceptors } as object);
  return {
    async call(path, input, options) {
      const procedure = path.reduce(getMember, client);
      if (typeof procedure !== 'function') throw new ORPCError('NOT_FOUND');
      const streamEnd = new AbortController();
      const signals = [streamEnd.signal, closed, ...(options.signal ? [options.signal] : [])];
      const signal = AbortSignal.any(signals);
      const copiedInput = structuredClone(input);
      await setImmediate();
      const output = await untilAborted((procedure as CallProcedure)(copiedInput, { signal }), signal);
      return isStream(output) ? copyStream(output, streamEnd, signal) : structuredClone(output);
    },
  };
}

function getMember(router: unknown, name: string): unknown {
  return (router as Record<string, unknown> | undefined)?.[name];
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
