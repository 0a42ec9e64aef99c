import { type ClientContext, type ClientLink, ORPCError } from '@orpc/client';
import { createContractError } from './shared/contract-error.ts';

export type BackendThread = 'reader' | 'writer';

/** Code with which the browser host closes the WebSockets of a page that another page has replaced. */
export const PAGE_REPLACED_CODE = 4001;
export type BackendLink = ClientLink<ClientContext>;

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
