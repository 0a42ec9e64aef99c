import type { Dispatcher } from 'undici';

/** So many bytes may wait to be taken before the service is held up. */
const MOST_WAITING = 64 * 1024;

export interface Head {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An answer on its way: its head, and its body piece by piece. */
export interface Arrival {
  /** Rejects with what kept it from coming. */
  readonly head: Promise<Head>;
  /** The next bytes of the body, null behind the last; rejects with what broke it off. To be asked for one at a time. */
  next(): Promise<Uint8Array | null>;
  /** Breaks it off where it is not all there: its connection is closed, and whoever waits for it gets the error that is made then. */
  stop(why: () => Error): void;
}

/**
 * Sends a request and takes its answer without the streams and signals that are usually put around one: with small answers most of
 * the time would go into those. `over` is called once it is all there, or broken off.
 */
export function dispatch(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  over: () => void,
): Arrival {
  const head = Promise.withResolvers<Head>();
  const waiting: Uint8Array[] = [];
  let bytes = 0;
  let reader: PromiseWithResolvers<Uint8Array | null> | null = null;
  let controller: Dispatcher.DispatchController | null = null;
  let isOver = false;
  let failure: { error: Error } | null = null;

  function fail(error: Error): void {
    if (isOver) return;
    isOver = true;
    failure = { error };
    waiting.length = 0;
    head.reject(error);
    reader?.reject(error);
    reader = null;
    over();
  }

  function stop(why: () => Error): void {
    if (isOver) return;
    const error = why();
    fail(error);
    controller?.abort(error);
  }

  function next(): Promise<Uint8Array | null> {
    if (failure !== null) return Promise.reject(failure.error);
    const chunk = waiting.shift();
    if (chunk !== undefined) {
      bytes -= chunk.length;
      if (bytes <= MOST_WAITING) controller?.resume();
      return Promise.resolve(chunk);
    }
    if (isOver) return Promise.resolve(null);
    reader = Promise.withResolvers();
    return reader.promise;
  }

  dispatcher.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      if (failure !== null) started.abort(failure.error);
    },
    onResponseStart(_, status, headers) {
      // What stands before the answer itself, such as 103 Early Hints, is passed by.
      if (status >= 200) head.resolve({ status, headers });
    },
    onResponseData(from, chunk) {
      if (isOver) return;
      if (reader !== null) {
        reader.resolve(chunk);
        reader = null;
        return;
      }
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_WAITING) from.pause();
    },
    onResponseEnd() {
      if (isOver) return;
      isOver = true;
      reader?.resolve(null);
      reader = null;
      over();
    },
    onResponseError: (_, error) => fail(error),
  });
  return { head: head.promise, next, stop };
}
