import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/contract/index.ts';
import { keepConnected } from '../../../src/renderer/backend/connection.ts';
import { touches } from '../../../src/renderer/backend/procedures.ts';
import { type Answer, createQueries, type Queries } from '../../../src/renderer/backend/queries.ts';
import { fakeBackend } from '../fakeBackend.ts';

const input = { site: 'demo' };

/** A client whose queries are counted. */
function counting(): { client: Client; count: () => number } {
  const backend = fakeBackend({ webhooks: 20, statements: 10 });
  let asked = 0;
  const { client } = keepConnected(async () => ({
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

function answered(queries: Queries, met: (answer: Answer<unknown>) => boolean): Promise<() => void> {
  return new Promise((resolve) => {
    let stop = () => {};
    const check = () => {
      if (met(queries.read('webhooks.facets', input))) resolve(() => stop());
    };
    stop = queries.subscribe('webhooks.facets', input, check);
    check();
  });
}
const settled = (answer: Answer<unknown>) => !answer.loading && answer.data !== undefined;

describe('answers', () => {
  test('two parts that ask the same share one question', async () => {
    const { client, count } = counting();
    const queries = createQueries(client);
    await Promise.all([answered(queries, settled), answered(queries, settled)]);
    expect(count()).toBe(1);
  });

  test('a change that touches them has them asked again, the old answer standing meanwhile', async () => {
    const { client, count } = counting();
    const queries = createQueries(client);
    await answered(queries, settled);
    const before = queries.read('webhooks.facets', input).data;
    queries.changed({ site: 'demo', topics: ['webhooks'] });
    await answered(queries, (answer) => answer.loading);
    expect(queries.read('webhooks.facets', input).data).toBe(before);
    await answered(queries, (answer) => settled(answer) && count() === 2);
  });

  test('another site’s change, or another topic, leaves them', async () => {
    const { client, count } = counting();
    const queries = createQueries(client, () => 0);
    await answered(queries, settled);
    queries.changed({ site: 'other', topics: ['webhooks'] });
    queries.changed({ site: 'demo', topics: ['settings'] });
    queries.changed({ site: 'demo', topics: ['webhooks'] });
    await answered(queries, (answer) => settled(answer) && count() >= 2);
    expect(count()).toBe(2);
  });

  test('what nobody shows is asked again when it is shown, not before', async () => {
    const { client, count } = counting();
    const queries = createQueries(client);
    const stop = await answered(queries, settled);
    stop();
    queries.allChanged();
    expect(count()).toBe(1);
    await answered(queries, (answer) => settled(answer) && count() === 2);
  });

  test('an error is told beside the last answer', async () => {
    const backend = fakeBackend();
    const queries = createQueries(keepConnected(async () => backend).client);
    const told = await new Promise<Answer<unknown>>((resolve) => {
      queries.subscribe('webhooks.get', { site: 'demo', id: 1 }, () => {
        const answer = queries.read('webhooks.get', { site: 'demo', id: 1 });
        if (!answer.loading) resolve(answer);
      });
    });
    expect(told).toMatchObject({ data: undefined, error: { code: 'not_found' } });
  });
});

describe('what a change touches', () => {
  test.each([
    ['webhooks.list', { filter: { search: 'paid' } }, true],
    ['webhooks.marks', { filter: { search: 'paid' } }, true],
    ['webhooks.list', { filter: { status: 'failed' } }, false],
    ['webhooks.facets', {}, false],
    ['statements.list', { filter: { search: 'Acme' } }, true],
    ['search.unsearched', {}, true],
    ['bank.lines', { filter: { search: 'Acme' } }, false],
  ] as const)('when more is found by its words, %s of %o: %s', (name, input, wanted) => {
    expect(touches({ site: 'acme', topics: ['search'] }, name, { site: 'acme', ...input })).toBe(wanted);
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
    expect(touches({ site: null, topics: [...topics] }, name, { site: 'acme' })).toBe(wanted);
  });
});
