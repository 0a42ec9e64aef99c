import { afterEach, expect, test } from 'vitest';
import {
  listSyncProblems,
  listSyncRuns,
  readSyncStatus,
} from '../../../src/backend/store/sync/sync-status.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';
import { proxySandbox } from './sandbox-proxy.ts';

let bench: WriterTestSite;
afterEach(() => bench.close());

const status = () =>
  readSyncStatus(bench.cache(), bench.books(), { site: SITE, service_details: null }, () => false);
const problems = () => listSyncProblems(bench.cache(), { limit: 50 }).rows;
const count = (sql: string) => bench.cache().prepare(sql).pluck().get();

interface Page {
  [list: string]: Record<string, unknown>;
}

/** Changes the records of one kind in every answer. */
const changeRecords =
  (kind: 'statement' | 'webhook', change: (record: Record<string, unknown>) => void) =>
  (_path: string, body: string): string => {
    const read = JSON.parse(body) as Page | Page[];
    for (const item of Array.isArray(read) ? read : [read]) if (item[kind]) change(item[kind]);
    return JSON.stringify(read);
  };

test.each([
  ['a fractional amount', { ending_balance_in_cents: 1999.5 }],
  ['an amount as words', { starting_balance_in_cents: 'twelve' }],
  ['an id above 2^53', { id: '90071992547409930001' }],
  ['a date that does not exist', { closed_at: '2026-13-45T00:00:00Z' }],
])('%s in one statement is a problem, and the site is not complete', async (_name, wrong) => {
  bench = await openWriterTestSite({ seed: 31, subscriptions: 3, months: 2 });
  const [first] = [...bench.sandbox.truth.statements()];
  await proxySandbox(bench, {
    changeBody: changeRecords('statement', (record) => {
      if (record['id'] === first!.id) Object.assign(record, wrong);
    }),
  });
  await bench.sync();
  expect(problems().length).toBeGreaterThan(0);
  expect(status()).toMatchObject({ complete: false });
  expect(listSyncRuns(bench.cache(), 1)).toMatchObject([{ complete: false }]);
});

test('a statement that arrives under another id than requested is refused and reported', async () => {
  bench = await openWriterTestSite({ seed: 32, subscriptions: 2, months: 1 });
  const [first] = [...bench.sandbox.truth.statements()];
  await proxySandbox(bench, {
    changeBody(path, body) {
      if (path.startsWith(`/statements/${first!.id}.json`))
        return body.replace(`"id":${first!.id},`, '"id":999000111,');
      if (!/subscriptions\/\d+\/statements\.json/.test(path)) return body;
      const items = JSON.parse(body) as { statement: { id: number } }[];
      return JSON.stringify(items.filter(({ statement }) => statement.id !== first!.id));
    },
  });
  await bench.sync({ only: ['statements'] });
  expect(problems()).toMatchObject([{ reason: 'the service returned statement 999000111' }]);
  expect(count('SELECT count(*) FROM statement WHERE id = 999000111')).toBe(0);
  expect(status()).toMatchObject({ complete: false });
});

test('other content under the id of a stored webhook is reported with the earlier version', async () => {
  bench = await openWriterTestSite({ seed: 33, subscriptions: 2, months: 1 });
  await bench.sync({ only: ['webhooks'] });
  const [first] = [...bench.sandbox.truth.webhooks()];
  const change = { event: 'something_else' };
  await proxySandbox(bench, {
    changeBody: changeRecords('webhook', (record) => {
      if (record['id'] === first!.id) Object.assign(record, change);
    }),
  });
  await bench.sync({ only: ['webhooks'], full: true });
  const reported = problems().filter(({ location }) => location.startsWith(`webhook ${first!.id},`));
  expect(reported).toMatchObject([{ raw: expect.stringContaining(String(first!.event)) }]);
  await bench.sync({ only: ['webhooks'], full: true });
  expect(problems()).toHaveLength(1);
});

test('a draft for a subscription that does not exist leaves no subscription behind', async () => {
  bench = await openWriterTestSite({ seed: 34, subscriptions: 2, months: 1 });
  await bench.sync();
  const before = count('SELECT count(*) FROM subscription');
  const component = { subscription_id: 77_001_234, component_id: 4242 };
  const from = { changes: [{ ...component, quantity: 3 }] };
  await bench.client.allocations.draft({ site: SITE, from });
  await bench.client.allocations.track({ site: SITE, ...component }).catch(() => undefined);
  expect(count('SELECT count(*) FROM subscription')).toBe(before);
});

test('the same address is not connected twice', async () => {
  bench = await openWriterTestSite({ seed: 35, subscriptions: 1 });
  const again = { title: 'Twice', base_url: `${bench.sandbox.url}/`, api_key: bench.sandbox.apiKey };
  await expect(bench.client.sites.add(again)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(SITE),
  });
});
