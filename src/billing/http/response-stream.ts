import type { Dispatcher } from 'undici';

/** Number of unread bytes above which the connection is paused. Chosen by judgment. */
const MAX_BUFFERED_BYTES = 64 * 1024;

export interface ResponseHead {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A response that is being received. */
export interface ResponseStream {
  /** Resolves with status and headers. Rejects if no response arrives. */
  readonly head: Promise<ResponseHead>;
  /** Returns the next bytes of the body, or null at the end. Rejects if interrupted. Await each call before the next. */
  readChunk(): Promise<Uint8Array | null>;
  /** Aborts an incomplete response: closes its connection and rejects pending reads with the error from `reason`. */
  abort(reason: () => Error): void;
}

/**
 * Sends a request directly through undici's dispatcher, because streams and abort signals would take most of the time of
 * small responses. Calls `onEnd` when the response is complete or has failed.
 */
export function dispatchRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  onEnd: () => void,
): ResponseStream {
  const head = Promise.withResolvers<ResponseHead>();
  const buffered: Uint8Array[] = [];
  let bufferedBytes = 0;
  let reader: PromiseWithResolvers<Uint8Array | null> | null = null;
  let controller: Dispatcher.DispatchController | null = null;
  let hasEnded = false;
  let failure: { error: Error } | null = null;

  function fail(error: Error): void {
    if (hasEnded) return;
    hasEnded = true;
    failure = { error };
    buffered.length = 0;
    head.reject(error);
    reader?.reject(error);
    reader = null;
    onEnd();
  }

  function stop(reason: () => Error): void {
    if (hasEnded) return;
    const error = reason();
    fail(error);
    controller?.abort(error);
  }

  function next(): Promise<Uint8Array | null> {
    if (failure !== null) return Promise.reject(failure.error);
    const chunk = buffered.shift();
    if (chunk !== undefined) {
      bufferedBytes -= chunk.length;
      if (bufferedBytes <= MAX_BUFFERED_BYTES) controller?.resume();
      return Promise.resolve(chunk);
    }
    if (hasEnded) return Promise.resolve(null);
    reader = Promise.withResolvers();
    return reader.promise;
  }

  dispatcher.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      if (failure !== null) started.abort(failure.error);
    },
    onResponseStart(_, status, headers) {
      // Informational responses, for example 103 Early Hints, are ignored.
      if (status >= 200) head.resolve({ status, headers });
    },
    onResponseData(from, chunk) {
      if (hasEnded) return;
      if (reader !== null) {
        reader.resolve(chunk);
        reader = null;
        return;
      }
      buffered.push(chunk);
      bufferedBytes += chunk.length;
      if (bufferedBytes > MAX_BUFFERED_BYTES) from.pause();
    },
    onResponseEnd() {
      if (hasEnded) return;
      hasEnded = true;
      reader?.resolve(null);
      reader = null;
      onEnd();
    },
    onResponseError: (_, error) => fail(error),
  });
  return { head: head.promise, readChunk: next, abort: stop };
}
