import { describe, expect, test } from 'vitest';
import {
  type BackendLink,
  createClosableLink,
  createContractError,
  toContractError,
} from '../../../src/contract/index.ts';
import type { BackendSession } from '../../../src/renderer/backend-client/connect-backend.ts';
import {
  type ConnectionState,
  createReconnectingConnection,
} from '../../../src/renderer/backend-client/reconnecting-connection.ts';

/** Returns a backend that answers every call with the given function, and records the calls. */
function createAnsweringBackend(answer: (path: readonly string[]) => Promise<unknown>) {
  const ended = new AbortController();
  const calls: string[] = [];
  const plain: BackendLink = {
    call(path, _input, { signal }) {
      calls.push(path.join('.'));
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        answer(path).then(resolve, reject);
      });
    },
  };
  const link = createClosableLink(plain, ended.signal);
  const backend: BackendSession = {
    windowShell: null,
    closed: ended.signal,
    reader: link,
    writer: link,
    readBlob: () => Promise.reject(new Error('none')),
  };
  return { backend, calls, end: () => ended.abort() };
}

const neverAnswer = () => new Promise<never>(() => {});

function waitForPhase(
  connection: ReturnType<typeof createReconnectingConnection>,
  wanted: ConnectionState['phase'],
): Promise<void> {
  return new Promise((resolve) => {
    const check = (state: ConnectionState) => {
      if (state.phase !== wanted) return;
      stop();
      resolve();
    };
    const stop = connection.state.subscribe(check);
    check(connection.state.getState());
  });
}

describe('reconnecting connection', () => {
  test('an interrupted query is retried in the next session', async () => {
    const first = createAnsweringBackend(neverAnswer);
    const second = createAnsweringBackend(async () => []);
    const backends = [first, second];
    const connection = createReconnectingConnection(async () => backends.shift()!.backend);
    await waitForPhase(connection, 'open');
    const answer = connection.client.sites.list({});
    await expect.poll(() => first.calls).toEqual(['sites.list']);
    first.end();
    expect(await answer).toEqual([]);
    expect([first.calls, second.calls]).toEqual([['sites.list'], ['sites.list']]);
  });

  test('a command is never sent twice', async () => {
    const first = createAnsweringBackend(neverAnswer);
    const second = createAnsweringBackend(neverAnswer);
    const backends = [first, second];
    const connection = createReconnectingConnection(async () => backends.shift()!.backend);
    await waitForPhase(connection, 'open');
    const answer = connection.client.sync.start({ site: 'acme' });
    await expect.poll(() => first.calls).toEqual(['sync.start']);
    first.end();
    await expect(answer.catch((thrown) => toContractError(thrown).code)).resolves.toBe('disconnected');
    await waitForPhase(connection, 'open');
    expect(second.calls).toEqual([]);
  });

  test('a query waits for the first session, but a command fails immediately', async () => {
    const one = createAnsweringBackend(async () => []);
    const gate = Promise.withResolvers<BackendSession>();
    const connection = createReconnectingConnection(() => gate.promise);
    const answer = connection.client.sites.list({});
    const refused = connection.client.sync
      .start({ site: 'acme' })
      .catch((thrown) => toContractError(thrown).code);
    await expect(refused).resolves.toBe('disconnected');
    gate.resolve(one.backend);
    expect(await answer).toEqual([]);
  });

  test('listeners are called after a reconnect', async () => {
    const backends = [createAnsweringBackend(neverAnswer), createAnsweringBackend(neverAnswer)];
    const [first] = backends;
    const connection = createReconnectingConnection(async () => backends.shift()!.backend);
    await waitForPhase(connection, 'open');
    const restored = new Promise<void>((resolve) => connection.onReconnected(resolve));
    first!.end();
    expect(connection.state.getState().phase).toBe('lost');
    await restored;
  });

  test('a refused connection is not retried', async () => {
    let attempts = 0;
    const connection = createReconnectingConnection(async () => {
      attempts += 1;
      throw createContractError({ code: 'conflict', message: 'Not allowed.', retryable: false });
    });
    await waitForPhase(connection, 'refused');
    await expect(
      connection.client.sites.list({}).catch((thrown) => toContractError(thrown).code),
    ).resolves.toBe('conflict');
    expect(attempts).toBe(1);
  });

  test('an aborted query rejects even before the first session opens', async () => {
    const connection = createReconnectingConnection(neverAnswer);
    const abortController = new AbortController();
    const answer = connection.client.sites.list({}, { signal: abortController.signal });
    abortController.abort();
    await expect(answer).rejects.toThrow();
  });
});
