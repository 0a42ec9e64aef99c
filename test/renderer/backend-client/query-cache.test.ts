import { describe, expect, test } from 'vitest';
import type { BackendClient } from '../../../src/contract/index.ts';
import { isQueryInvalidatedBy } from '../../../src/renderer/backend-client/procedures.ts';
import { QueryCache, type QueryState } from '../../../src/renderer/backend-client/query-cache.ts';
import { createReconnectingConnection } from '../../../src/renderer/backend-client/reconnecting-connection.ts';
import { createFakeBackend } from '../fake-backend.ts';

const input = { site: 'demo' };

/** Returns a client that counts its queries. */
function createCountingClient(): { client: BackendClient; count: () => number } {
  const backend = createFakeBackend({ webhooks: 20, statements: 10 });
  let requestCount = 0;
  const { client } = createReconnectingConnection(async () => ({
    ...backend,
    reader: {
      call(path, value, options) {
        requestCount += 1;
        return backend.reader.call(path, value, options);
      },
    },
  }));
  return { client, count: () => requestCount };
}

/** Returns a client whose queries wait until the test releases them one by one. */
function createBlockedClient() {
  const backend = createFakeBackend({ webhooks: 20, statements: 10 });
  const pendingReleases: (() => void)[] = [];
  let requestCount = 0;
  const { client } = createReconnectingConnection(async () => ({
    ...backend,
    reader: {
      async call(path, value, options) {
        requestCount += 1;
        await new Promise<void>((release) => pendingReleases.push(release));
        return await backend.reader.call(path, value, options);
      },
    },
  }));
  return { client, getRequestCount: () => requestCount, release: () => pendingReleases.shift()?.() };
}

function waitForState(
  queries: QueryCache,
  isReached: (answer: QueryState<unknown>) => boolean,
): Promise<() => void> {
  return new Promise((resolve) => {
    let stop = () => {};
    const check = () => {
      if (isReached(queries.read('webhooks.facets', input))) resolve(() => stop());
    };
    stop = queries.subscribe('webhooks.facets', input, check);
    check();
  });
}
const isLoaded = (answer: QueryState<unknown>) => !answer.loading && answer.data !== undefined;

describe('query cache', () => {
  test('two subscribers of one query share a request', async () => {
    const { client, count } = createCountingClient();
    const queries = new QueryCache(client);
    await Promise.all([waitForState(queries, isLoaded), waitForState(queries, isLoaded)]);
    expect(count()).toBe(1);
  });

  test('a relevant change refetches a query and keeps its data meanwhile', async () => {
    const { client, count } = createCountingClient();
    const queries = new QueryCache(client);
    await waitForState(queries, isLoaded);
    const before = queries.read('webhooks.facets', input).data;
    queries.invalidate({ site: 'demo', topics: ['webhooks'] });
    await waitForState(queries, (answer) => answer.loading);
    expect(queries.read('webhooks.facets', input).data).toBe(before);
    await waitForState(queries, (answer) => isLoaded(answer) && count() === 2);
  });

  test('changes to another site or topic do not refetch a query', async () => {
    const { client, count } = createCountingClient();
    const queries = new QueryCache(client, () => 0);
    await waitForState(queries, isLoaded);
    queries.invalidate({ site: 'other', topics: ['webhooks'] });
    queries.invalidate({ site: 'demo', topics: ['settings'] });
    queries.invalidate({ site: 'demo', topics: ['webhooks'] });
    await waitForState(queries, (answer) => isLoaded(answer) && count() >= 2);
    expect(count()).toBe(2);
  });

  test('an unused query is refetched only when it is used again', async () => {
    const { client, count } = createCountingClient();
    const queries = new QueryCache(client);
    const stop = await waitForState(queries, isLoaded);
    stop();
    queries.invalidateAll();
    expect(count()).toBe(1);
    await waitForState(queries, (answer) => isLoaded(answer) && count() === 2);
  });

  test('a slow response is delivered despite continuous changes and then refetched', async () => {
    const { client, getRequestCount, release } = createBlockedClient();
    const queries = new QueryCache(client, () => 0);
    const first = waitForState(queries, isLoaded);
    await expect.poll(getRequestCount).toBe(1);
    for (let changes = 0; changes < 5; changes += 1) {
      queries.invalidate({ site: 'demo', topics: ['webhooks'] });
      await new Promise(setImmediate);
    }
    expect(getRequestCount()).toBe(1);
    release();
    const unsubscribe = await waitForState(queries, (answer) => answer.data !== undefined);
    expect(queries.read('webhooks.facets', input).loading).toBe(true);
    await expect.poll(getRequestCount).toBe(2);
    release();
    await first;
    unsubscribe();
    expect(getRequestCount()).toBe(2);
  });

  test('a change during a request without subscribers leads to a refetch', async () => {
    const { client, getRequestCount, release } = createBlockedClient();
    const queries = new QueryCache(client);
    queries.subscribe('webhooks.facets', input, () => undefined)();
    queries.invalidate({ site: 'demo', topics: ['webhooks'] });
    const shown = waitForState(queries, isLoaded);
    await expect.poll(getRequestCount).toBe(1);
    release();
    await expect.poll(getRequestCount).toBe(2);
    release();
    await shown;
  });

  test('an error keeps the previous data', async () => {
    const backend = createFakeBackend();
    const queries = new QueryCache(createReconnectingConnection(async () => backend).client);
    const failedState = await new Promise<QueryState<unknown>>((resolve) => {
      queries.subscribe('webhooks.get', { site: 'demo', id: 1 }, () => {
        const answer = queries.read('webhooks.get', { site: 'demo', id: 1 });
        if (!answer.loading) resolve(answer);
      });
    });
    expect(failedState).toMatchObject({ data: undefined, error: { code: 'not_found' } });
  });
});

describe('queries invalidated by a change', () => {
  test.each([
    ['webhooks.list', { filter: { search: 'paid' } }, true],
    ['webhooks.marks', { filter: { search: 'paid' } }, true],
    ['webhooks.list', { filter: { status: 'failed' } }, false],
    ['webhooks.facets', {}, false],
    ['statements.list', { filter: { search: 'Acme' } }, true],
    ['search.unsearched', {}, true],
    ['bank.lines', { filter: { search: 'Acme' } }, false],
  ] as const)('a larger search index invalidates %s with %o: %s', (name, input, wanted) => {
    expect(isQueryInvalidatedBy({ site: 'acme', topics: ['search'] }, name, { site: 'acme', ...input })).toBe(
      wanted,
    );
  });

  test.each([
    ['webhooks.list', ['webhooks'], true],
    ['webhooks.get', ['replay'], true],
    ['statements.pdf', ['archive'], true],
    ['statements.list', ['webhooks'], false],
    ['subscriptions.list', ['allocations'], true],
    ['sync.status', ['jobs'], true],
    ['sites.list', ['sites'], true],
    ['jobs.list', ['jobs'], true],
    ['app.about', ['settings'], false],
  ] as const)('%s is invalidated by a change to %o: %s', (name, topics, wanted) => {
    expect(isQueryInvalidatedBy({ site: null, topics: [...topics] }, name, { site: 'acme' })).toBe(wanted);
  });
});
