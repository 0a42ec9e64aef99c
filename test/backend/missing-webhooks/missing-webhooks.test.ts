import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import type { Backend } from '../../../src/backend/shared/backend-start-options.ts';
import {
  type BackendClient,
  createBackendClient,
  type MissingWebhookRow,
} from '../../../src/contract/index.ts';
import type { SandboxOptions } from '../../../src/sandbox/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

/** Missing webhooks of a site whose endpoint was disabled, compared with what the sandbox did not generate. */

const DISABLED = ['2026-09-28T02:11:00Z', '2026-10-09T19:40:00Z'] as const;
const range = { from: DISABLED[0], to: DISABLED[1] };
const onSite = { site: SITE };

let bench: WriterTestSite;
let reader: Backend;
let client: BackendClient;
afterEach(async () => {
  await reader.close();
  await bench.close();
});

async function openSite({ faults, ...options }: SandboxOptions = {}): Promise<void> {
  const spec = typeof faults === 'object' ? faults : {};
  bench = await openWriterTestSite({
    ...{ seed: 8, subscriptions: 80, months: 3, outage: false },
    ...options,
    faults: { endpoint_disabled: DISABLED, ...spec },
  });
  const { home, keys } = bench;
  reader = openBackendReader({
    home,
    version: '0.0.0',
    shell: createMemoryShell(keys),
    log: () => undefined,
  });
  client = createBackendClient({ reader: reader.link, writer: bench.writer.link });
}

const list = (input: { outage: string } | { from: string; to: string } = range) =>
  client.missingWebhooks.list({ ...onSite, range: input, limit: 5000 });

const listUngenerated = () =>
  bench.sandbox.truth
    .ungenerated()
    .map(({ event, at, ...ids }) =>
      [event, ids.subscription_id, ids.transaction_id, ids.statement_id].join(' '),
    )
    .sort();
const describeRows = (rows: readonly MissingWebhookRow[]) =>
  rows.map((row) => [row.event, row.subscription_id, row.transaction_id, row.statement_id].join(' ')).sort();

test('a gap lists exactly the webhooks that were not generated', async () => {
  await openSite({ subscriptions: 250 });
  await bench.sync();
  const { outages } = await client.webhooks.outages({ ...onSite, limit: 100 });
  const gap = outages.find(({ kind }) => kind === 'gap');
  const expected = listUngenerated();
  expect(expected.length).toBeGreaterThan(100);
  for (const input of [range, { outage: gap?.id ?? '' }]) {
    const found = await list(input);
    expect(describeRows(found.rows)).toEqual(expected);
    expect(found).toMatchObject({ missing: expected.length, unconfirmed: 0, more: 0 });
    expect(found.coverage).toEqual({ statements: true, allocations: true, feed: 'not_read' });
    expect(found.unknown).toContainEqual({ event: 'customer_update', reason: 'feed_not_read' });
    const total = found.by_event.reduce((sum, { missing }) => sum + missing, 0);
    expect(total).toBe(expected.length);
  }
  const few = await client.missingWebhooks.list({ ...onSite, range, limit: 3 });
  expect(few.rows).toHaveLength(3);
  expect(few.more).toBe(expected.length - 3);
});

test.each([['filtered'], ['unfiltered']] as const)(
  'a feed that is %s adds events without records',
  async (eventsFeed) => {
    await openSite({ webhooks: 4000, settings: { eventsFeed } });
    await bench.sync();
    const expected = listUngenerated();
    const before = await list();
    expect(before.rows.length).toBeLessThan(expected.length);
    expect(await client.missingWebhooks.readEvents({ ...onSite, range })).toMatchObject({
      state: 'complete',
    });
    const after = await list();
    expect(describeRows(after.rows)).toEqual(expected);
    expect(after.coverage.feed).toBe('complete');
    expect(after.unknown).toEqual([]);
    expect(after.by_event.map(({ event }) => event)).toContain('metered_usage');
  },
);

test('an account without a feed keeps the records and states what is unknown', async () => {
  await openSite({ settings: { eventsFeed: 'absent' } });
  await bench.sync();
  expect(await client.missingWebhooks.readEvents({ ...onSite, range })).toEqual({
    state: 'unavailable',
    events: 0,
  });
  const found = await list();
  expect(describeRows(found.rows)).toEqual(listUngenerated());
  expect(found.unknown).toContainEqual({ event: 'customer_update', reason: 'feed_unavailable' });
});

test('without statements, their webhooks are unknown and none is called missing', async () => {
  await openSite();
  await bench.sync({ only: ['webhooks'] });
  const found = await list();
  expect(found.coverage).toMatchObject({ statements: false, allocations: false });
  for (const event of ['payment_success', 'statement_settled'])
    expect(found.unknown).toContainEqual({ event, reason: 'statements_incomplete' });
  expect(found.unknown).toContainEqual({
    event: 'component_allocation_change',
    reason: 'allocations_incomplete',
  });
});

test('before the webhook log was read, every webhook is unconfirmed', async () => {
  await openSite();
  await bench.sync({ only: ['statements'] });
  const found = await list();
  expect(found.missing).toBe(0);
  expect(found.unconfirmed).toBeGreaterThan(50);
  expect(new Set(found.rows.map(({ uncertainty }) => uncertainty))).toEqual(new Set(['outside_log']));
});

test('exports are marked as reconstructed and carry no signature', async () => {
  await openSite();
  await bench.sync();
  const files = await Promise.all(
    (['json', 'csv'] as const).map((format) => client.missingWebhooks.export({ ...onSite, range, format })),
  );
  expect(files.map(({ name }) => name)).toEqual([
    'reconstructed-webhooks-2026-09-28.json',
    'reconstructed-webhooks-2026-09-28.csv',
  ]);
  const [json = '', csv = ''] = files.map(({ name }) =>
    readFileSync(join(bench.home, 'sites', SITE, 'exports', name), 'utf8'),
  );
  const exported = JSON.parse(json) as {
    reconstructed: boolean;
    notice: string;
    unknown: unknown[];
    webhooks: MissingWebhookRow[];
  };
  expect(exported.reconstructed).toBe(true);
  expect(exported.notice).toContain('has not generated, sent or signed');
  expect(exported.unknown.length).toBeGreaterThan(5);
  expect(describeRows(exported.webhooks)).toEqual(listUngenerated());
  for (const { id, body, reconstructed } of exported.webhooks) {
    expect(reconstructed).toBe(true);
    expect(body.startsWith(`id=${id}&`)).toBe(true);
    expect(body).toContain('&reconstructed=true&payload[reconstructed]=true');
    // The sandbox has an IP address, which names no subdomain.
    expect(body).not.toContain('payload[site]');
  }
  expect(json + csv).not.toContain('signature');
  const lines = csv.trim().split(/\r?\n/);
  expect(lines.filter((line) => line.startsWith('true,missing,'))).toHaveLength(exported.webhooks.length);
  expect(lines.filter((line) => line.includes(',unknown,'))).toHaveLength(exported.unknown.length);
});

test('an unknown outage, a reversed range and an unreadable time are refused', async () => {
  await openSite();
  await bench.sync({ only: ['webhooks'] });
  await expect(list({ outage: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(list({ from: range.to, to: range.from })).rejects.toMatchObject({ code: 'validation' });
  await expect(list({ from: '2026-10-01', to: range.to })).rejects.toMatchObject({ code: 'validation' });
});
