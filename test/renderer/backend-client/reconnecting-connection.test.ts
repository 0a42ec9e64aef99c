import { describe, expect, test } from 'vitest';
import {
  type BackendLink,
  contractError,
  createClosableLink,
  toContractError,
} from '../../../src/contract/index.ts';
import type { BackendSession } from '../../../src/renderer/backend-client/connect-backend.ts';
import {
  type ConnectionState,
  createReconnectingConnection,
} from '../../../src/renderer/backend-client/reconnecting-connection.ts';

/** A backend that answers by what it is told, or keeps one waiting. */
function backendThat(answer: (path: readonly string[]) => Promise<unknown>) {
  const ended = new AbortController();
  const asked: string[] = [];
  const plain: BackendLink = {
    call(path, _input, { signal }) {
      asked.push(path.join('.'));
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        answer(path).then(resolve, reject);
      });
    },
  };
  const link = createClosableLink(plain, ended.signal);
  const backend: BackendSession = {
    shell: 'browser',
    closed: ended.signal,
    reader: link,
    writer: link,
    readBlob: () => Promise.reject(new Error('none')),
  };
  return { backend, asked, end: () => ended.abort() };
}

const silence = () => new Promise<never>(() => {});

function phase(
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
  test('an interrupted query is repeated in the next session', async () => {
    const first = backendThat(silence);
    const second = backendThat(async () => []);
    const backends = [first, second];
    const connection = createReconnectingConnection(async () => backends.shift()!.backend);
    await phase(connection, 'open');
    const answer = connection.client.sites.list({});
    await expect.poll(() => first.asked).toEqual(['sites.list']);
    first.end();
    expect(await answer).toEqual([]);
    expect([first.asked, second.asked]).toEqual([['sites.list'], ['sites.list']]);
  });

  test('a command is never sent twice', async () => {
    const first = backendThat(silence);
    const second = backendThat(silence);
    const backends = [first, second];
    const connection = createReconnectingConnection(async () => backends.shift()!.backend);
    await phase(connection, 'open');
    const answer = connection.client.sync.start({ site: 'acme' });
    await expect.poll(() => first.asked).toEqual(['sync.start']);
    first.end();
    await expect(answer.catch((thrown) => toContractError(thrown).code)).resolves.toBe('disconnected');
    await phase(connection, 'open');
    expect(second.asked).toEqual([]);
  });

  test('a query waits for the first session, a command does not', async () => {
    const one = backendThat(async () => []);
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
    const backends = [backendThat(silence), backendThat(silence)];
    const [first] = backends;
    const connection = createReconnectingConnection(async () => backends.shift()!.backend);
    await phase(connection, 'open');
    const restored = new Promise<void>((resolve) => connection.onReconnected(resolve));
    first!.end();
    expect(connection.state.getState().phase).toBe('lost');
    await restored;
  });

  test('a refused connection is not retried', async () => {
    let tries = 0;
    const connection = createReconnectingConnection(async () => {
      tries += 1;
      throw contractError({ code: 'auth', message: 'Not allowed.', retryable: false });
    });
    await phase(connection, 'refused');
    await expect(
      connection.client.sites.list({}).catch((thrown) => toContractError(thrown).code),
    ).resolves.toBe('auth');
    expect(tries).toBe(1);
  });

  test('an aborted query ends, with or without a session', async () => {
    const connection = createReconnectingConnection(silence);
    const leaving = new AbortController();
    const answer = connection.client.sites.list({}, { signal: leaving.signal });
    leaving.abort();
    await expect(answer).rejects.toThrow();
  });
});
