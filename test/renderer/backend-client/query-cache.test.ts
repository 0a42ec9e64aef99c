import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/contract/index.ts';
import { invalidatesQuery } from '../../../src/renderer/backend-client/procedures.ts';
import { QueryCache, type QueryState } from '../../../src/renderer/backend-client/query-cache.ts';
import { createReconnectingConnection } from '../../../src/renderer/backend-client/reconnecting-connection.ts';
import { fakeBackend } from '../fake-backend.ts';

const input = { site: 'demo' };

/** A client whose queries are counted. */
function counting(): { client: Client; count: () => number } {
  const backend = fakeBackend({ webhooks: 20, statements: 10 });
  let asked = 0;
  const { client } = createReconnectingConnection(async () => ({
    ...backend,
    reader: {
      call(path, value, options) {
        asked += 1;
        return backend.reader.call(path, value, options);
      },
    },
  }));
  return { client, count: () => asked };
}

/** A client whose queries are answered when they are let go, each by itself. */
function heldUp() {
  const backend = fakeBackend({ webhooks: 20, statements: 10 });
  const stored: (() => void)[] = [];
  let asked = 0;
  const { client } = createReconnectingConnection(async () => ({
    ...backend,
    reader: {
      async call(path, value, options) {
        asked += 1;
        await new Promise<void>((go) => stored.push(go));
        return await backend.reader.call(path, value, options);
      },
    },
  }));
  return { client, asked: () => asked, release: () => stored.shift()?.() };
}

function answered(queries: QueryCache, met: (answer: QueryState<unknown>) => boolean): Promise<() => void> {
  return new Promise((resolve) => {
    let stop = () => {};
    const check = () => {
      if (met(queries.read('webhooks.facets', input))) resolve(() => stop());
    };
    stop = queries.subscribe('webhooks.facets', input, check);
    check();
  });
}
const settled = (answer: QueryState<unknown>) => !answer.loading && answer.data !== undefined;

describe('query cache', () => {
  test('two subscribers of one query share a request', async () => {
    const { client, count } = counting();
    const queries = new QueryCache(client);
    await Promise.all([answered(queries, settled), answered(queries, settled)]);
    expect(count()).toBe(1);
  });

  test('a relevant change refetches a query while its previous data stays', async () => {
    const { client, count } = counting();
    const queries = new QueryCache(client);
    await answered(queries, settled);
    const before = queries.read('webhooks.facets', input).data;
    queries.invalidate({ site: 'demo', topics: ['webhooks'] });
    await answered(queries, (answer) => answer.loading);
    expect(queries.read('webhooks.facets', input).data).toBe(before);
    await answered(queries, (answer) => settled(answer) && count() === 2);
  });

  test('changes of another site or topic do not refetch', async () => {
    const { client, count } = counting();
    const queries = new QueryCache(client, () => 0);
    await answered(queries, settled);
    queries.invalidate({ site: 'other', topics: ['webhooks'] });
    queries.invalidate({ site: 'demo', topics: ['settings'] });
    queries.invalidate({ site: 'demo', topics: ['webhooks'] });
    await answered(queries, (answer) => settled(answer) && count() >= 2);
    expect(count()).toBe(2);
  });

  test('an unused query is refetched only when it is used again', async () => {
    const { client, count } = counting();
    const queries = new QueryCache(client);
    const stop = await answered(queries, settled);
    stop();
    queries.invalidateAll();
    expect(count()).toBe(1);
    await answered(queries, (answer) => settled(answer) && count() === 2);
  });

  test('a slow answer arrives despite continuous changes and is followed by a refetch', async () => {
    const { client, asked, release } = heldUp();
    const queries = new QueryCache(client, () => 0);
    const first = answered(queries, settled);
    await expect.poll(asked).toBe(1);
    for (let changes = 0; changes < 5; changes += 1) {
      queries.invalidate({ site: 'demo', topics: ['webhooks'] });
      await new Promise(setImmediate);
    }
    expect(asked()).toBe(1);
    release();
    const still = await answered(queries, (answer) => answer.data !== undefined);
    expect(queries.read('webhooks.facets', input).loading).toBe(true);
    await expect.poll(asked).toBe(2);
    release();
    await first;
    still();
    expect(asked()).toBe(2);
  });

  test('a change during a request without subscribers leads to a refetch', async () => {
    const { client, asked, release } = heldUp();
    const queries = new QueryCache(client);
    queries.subscribe('webhooks.facets', input, () => undefined)();
    queries.invalidate({ site: 'demo', topics: ['webhooks'] });
    const shown = answered(queries, settled);
    await expect.poll(asked).toBe(1);
    release();
    await expect.poll(asked).toBe(2);
    release();
    await shown;
  });

  test('an error keeps the previous data', async () => {
    const backend = fakeBackend();
    const queries = new QueryCache(createReconnectingConnection(async () => backend).client);
    const told = await new Promise<QueryState<unknown>>((resolve) => {
      queries.subscribe('webhooks.get', { site: 'demo', id: 1 }, () => {
        const answer = queries.read('webhooks.get', { site: 'demo', id: 1 });
        if (!answer.loading) resolve(answer);
      });
    });
    expect(told).toMatchObject({ data: undefined, error: { code: 'not_found' } });
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
    expect(invalidatesQuery({ site: 'acme', topics: ['search'] }, name, { site: 'acme', ...input })).toBe(
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
  ] as const)('%s by %o: %s', (name, topics, wanted) => {
    expect(invalidatesQuery({ site: null, topics: [...topics] }, name, { site: 'acme' })).toBe(wanted);
  });
});
