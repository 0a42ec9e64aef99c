import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countUnindexedRecords } from '../../../src/backend/store/search/search-index.ts';
import { prepareSql } from '../../../src/backend/store/sqlite/connection.ts';
import { listWebhooks } from '../../../src/backend/store/webhooks/webhook-list.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

/** Indexing follows the sync in the background. Actions on search results first index everything. */
const WORD = 'payment_success';
const nothing = { webhooks: 0, statements: 0, pdfs: 0 };
let bench: WriterTestSite;
beforeEach(async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 3 });
});
afterEach(() => bench.close());

const left = () => countUnindexedRecords(bench.cache());
const found = () => {
  const sort = { by: 'created_at', direction: 'desc' } as const;
  const { total } = listWebhooks(bench.cache(), { filter: { search: WORD }, sort, limit: 1 });
  return total?.count;
};

test('change events report newly searchable records until all are indexed', async () => {
  const listening = new AbortController();
  const changes = await bench.client.changes.watch({}, { signal: listening.signal });
  /** Number of search results at each change event. */
  const heard: (number | undefined)[] = [];
  const hearing = (async () => {
    for await (const { topics } of changes) {
      if (topics.includes('search')) heard.push(found());
    }
  })().catch(() => undefined);
  await bench.sync();
  await expect.poll(() => left().webhooks + left().statements).toBe(0);
  await expect.poll(() => heard.at(-1)).toBe(found());
  expect(found()).toBeGreaterThan(20);
  listening.abort();
  await hearing;
});

test('catching up indexes recent webhooks, statements and the text of PDFs', async () => {
  await bench.sync();
  await bench.sync({ only: ['pdf'] });
  const { client } = bench;
  await expect
    .poll(() => client.search.catchUp({ site: SITE, of: 'webhooks' }))
    .toMatchObject({ webhooks: 0 });
  await expect.poll(() => client.search.catchUp({ site: SITE, of: 'statements' })).toEqual(nothing);
});

test('a replay plan of a search contains every matching webhook', async () => {
  await bench.sync();
  const selection = { filter: { search: WORD } };
  const plan = await bench.client.replay.plan({ site: SITE, selection, include_accepted: true });
  expect(left().webhooks).toBe(0);
  expect(plan.count).toBe(found());
});

test('an export of a search contains every matching statement and its PDF', async () => {
  await bench.sync();
  const customer = prepareSql<string>(
    bench.cache(),
    'SELECT customer_name FROM statement WHERE state > 0 ORDER BY id LIMIT 1',
  ).pluck();
  const search = `"${customer.get()}"`;
  const filter = { search };
  const { job } = await bench.client.archive.fetch({ site: SITE, filter });
  expect(await bench.waitForJob(job)).toMatchObject({ state: 'done' });
  const path = join(bench.outputs, 'found.zip');
  const plan = await bench.client.archive.plan({
    site: SITE,
    selection: { filter },
    target: { kind: 'zip', path },
  });
  expect(left()).toMatchObject({ statements: 0, pdfs: 0 });
  const all = prepareSql<number>(
    bench.cache(),
    'SELECT count(*) FROM statement WHERE customer_name = ?',
  ).pluck();
  expect(plan.count).toBe(all.get(search.slice(1, -1)));
});
