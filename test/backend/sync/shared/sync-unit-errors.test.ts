import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { listSyncRuns, readSyncStatus } from '../../../../src/backend/store/sync/sync-status.ts';
import type { SyncPart } from '../../../../src/contract/index.ts';
import { findDifferences } from '../../find-differences.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../../writer-test-site.ts';

/** If the service fails on one sync unit, the others are read, and the next sync requests only that unit again. */
let bench: WriterTestSite;
afterEach(() => bench.close());

const lastRun = () => listSyncRuns(bench.cache(), 1)[0];
const status = () =>
  readSyncStatus(bench.cache(), bench.books(), { site: SITE, service_details: null }, () => true);
const part = (name: SyncPart) => status().parts.find((each) => each.part === name);

const CASES: [failing: 'webhooks' | 'statement_ids' | 'allocations', part: SyncPart, place: RegExp][] = [
  ['webhooks', 'webhooks', /^all webhooks$/],
  ['statement_ids', 'statements', /^the list of statements$/],
  ['allocations', 'allocations', /^allocations of component \d+ on subscription \d+$/],
];

test.each(CASES)('a service that fails only on %s', async (failing, name, place) => {
  bench = await openWriterTestSite({ subscriptions: 12, months: 3 });
  bench.sandbox.setFaults({ error_rate: 1, only: [failing] });
  expect(await bench.sync()).toMatchObject({ state: 'done', error: null });
  expect(lastRun()).toMatchObject({ complete: false });
  expect(lastRun()?.problems[0]).toMatchObject({
    part: name,
    location: expect.stringMatching(place) as string,
  });
  expect(status().complete).toBe(false);
  expect(part(name)).toMatchObject({ complete: false });
  const others = (['webhooks', 'statements', 'allocations'] as const).filter((each) => each !== name);
  for (const each of others) expect(part(each)).toMatchObject({ complete: true });

  bench.sandbox.setFaults({});
  expect(await bench.sync()).toMatchObject({ state: 'done' });
  expect(lastRun()).toMatchObject({ complete: true, problems: [] });
  expect(status()).toMatchObject({ complete: true });
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('a window that the service fails on is reported, and resumed alone', async () => {
  bench = await openWriterTestSite({
    subscriptions: 15,
    months: 6,
    webhooks: 900,
    settings: { maxPerPage: 20 },
  });
  const webhooks = [...bench.sandbox.truth.webhooks()].map(({ id }) => id as number);
  // The service returns no row of a complete page.
  bench.sandbox.setFaults({ poison: webhooks.slice(300, 340) });
  expect(await bench.sync()).toMatchObject({ state: 'done' });
  const run = lastRun();
  expect(run).toMatchObject({ complete: false });
  // Both neighboring windows meet the failing page.
  expect(run?.problems.map(({ location }) => location)).toEqual([
    'the newest webhooks',
    expect.stringMatching(/^webhooks from .* on$/),
  ]);
  expect(part('statements')).toMatchObject({ complete: true });

  bench.sandbox.setFaults({});
  bench.sandbox.requests.reset();
  await bench.sync();
  expect(lastRun()).toMatchObject({ complete: true, problems: [] });
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  // Only the remaining pages of 46 are read.
  expect(bench.sandbox.requests.byKind.webhooks).toBeLessThan(40);
});

test('a service that starts failing on everything ends the sync with its error', async () => {
  bench = await openWriterTestSite({ subscriptions: 30, months: 3 });
  bench.sandbox.setFaults({ error_rate: 1, after: 12 });
  expect(await bench.sync()).toMatchObject({ state: 'failed', error: { code: 'service' } });
  expect(status().last).toMatchObject({ ok: false, error: { code: 'service' } });
});

test('a server that answers 404 to everything is not trusted', async () => {
  bench = await openWriterTestSite({ subscriptions: 8, months: 3 });
  await bench.sync();
  const components = part('allocations')?.expected;
  const server = createServer((_request, reply) => reply.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await bench.client.sites.update({ site: SITE, base_url });
  for (const only of [undefined, ['allocations' as const]]) {
    const job = await bench.sync(only === undefined ? { full: true } : { only, full: true });
    expect(job).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
  }
  expect(part('allocations')?.expected).toBe(components);
  expect(part('statements')).toMatchObject({ stored: bench.sandbox.truth.counts().statements });
});

test('each sync reports a poison row until the service returns it', async () => {
  bench = await openWriterTestSite({
    subscriptions: 8,
    months: 3,
    webhooks: 120,
    settings: { maxPerPage: 20 },
  });
  const webhooks = [...bench.sandbox.truth.webhooks()].map(({ id }) => id as number);
  bench.sandbox.setFaults({ poison: webhooks.slice(50, 51) });
  for (let run = 1; run <= 2; run++) {
    await bench.sync({ only: ['webhooks'] });
    expect(lastRun()).toMatchObject({
      complete: false,
      problems: [{ location: expect.stringMatching(/^row 51 of /) as string }],
    });
  }
  bench.sandbox.setFaults({});
  await bench.sync({ only: ['webhooks'] });
  expect(lastRun()).toMatchObject({ complete: true, problems: [], rows: { webhook: 1 } });
});
