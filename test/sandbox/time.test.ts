import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { addMonths, findMonthStart, isValidDate, TimeZone } from '../../src/sandbox/simulation/time-zone.ts';
import { audit } from './books.ts';
import { type Fields, visit, visitor } from './visitor.ts';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

describe('the clock', () => {
  test('starts where told, and its time is in the Date header', async () => {
    const { get, sandbox } = await visit({ now: '2025-03-15T12:00:00Z' });
    expect((await get('/webhooks.json')).headers.get('date')).toMatch(/^Sat, 15 Mar 2025 12:00:/);
    const newest = [...sandbox.truth.webhooks()].at(-1) as Fields;
    expect((newest['created_at'] as string).slice(0, 7)).toBe('2025-03');
    expect(audit(sandbox)).toEqual([]);
  });

  test('moved on, lets renewals, failures, retries and settlements happen, each with its webhooks', async () => {
    const { get, sandbox } = await visit({ subscriptions: 150 });
    const before = sandbox.truth.counts();
    sandbox.advance({ days: 1 });
    sandbox.advance({ months: 1 });
    const after = sandbox.truth.counts();
    expect(after.statements - before.statements).toBeGreaterThan(100);
    const fresh = [...sandbox.truth.webhooks()].slice(before.webhooks);
    const events = new Set(fresh.map(({ event }) => event));
    for (const event of [
      'renewal_success',
      'renewal_failure',
      'payment_success',
      'payment_failure',
      'statement_closed',
      'statement_settled',
      'subscription_state_change',
    ]) {
      expect(events).toContain(event);
    }
    expect((await get('/webhooks.json')).headers.get('date')).toMatch(/^Wed, 02 Dec 2026 06:00:/);
    expect(
      fresh.every(({ created_at }) => Date.parse(created_at as string) <= Date.parse('2026-12-02T06:00:00Z')),
    ).toBe(true);
  });

  test('moved in steps or at once gives the same renewals', async () => {
    const [steps, leap] = await Promise.all([visit(), visit()]);
    for (let day = 0; day < 30; day++) steps.sandbox.advance({ days: 1 });
    leap.sandbox.advance({ days: 30 });
    const settled = (rows: Iterable<Fields>): unknown[] =>
      [...rows].map(({ id, ending_balance_in_cents }) => [id, ending_balance_in_cents]);
    expect(settled(steps.sandbox.truth.statements())).toEqual(settled(leap.sandbox.truth.statements()));
  });

  test('moved while the endpoint is down leaves failed webhooks', async () => {
    const { sandbox } = await visit({ outage: false, subscriptions: 100 });
    sandbox.setEndpoint({ down: true });
    sandbox.advance({ days: 5 });
    const failed = sandbox.truth.counts().failed_webhooks;
    expect(failed).toBeGreaterThan(30);
    sandbox.setEndpoint({});
    sandbox.advance({ days: 5 });
    expect(sandbox.truth.counts().failed_webhooks).toBe(failed);
    const states = [...sandbox.truth.webhooks()].filter(({ successful }) => !successful);
    expect(states).toHaveLength(failed);
  });

  test('does not go back', async () => {
    const { sandbox } = await visit();
    for (const by of [{}, { days: 0 }, { days: -1 }, { months: Number.NaN }])
      expect(() => sandbox.advance(by)).toThrow(RangeError);
  });
});

describe('a data file', () => {
  test('keeps allocations, replays, outcomes and time, and nothing that can be made again', async () => {
    const data = join(folder(), 'site.jsonl');
    const options = { data, settings: { queueDelay: 1, timeScale: 0.001 }, endpointPort: 0 };
    const first = await startSandbox(options);
    const { post } = visitor(first);
    const [pair] = [...first.truth.components()];
    const failed = [...first.truth.webhooks()].filter(({ successful }) => !successful).map(({ id }) => id);
    await post(`/subscriptions/${pair?.subscription_id}/components/${pair?.component_id}/allocations.json`, {
      allocation: { quantity: 12 },
    });
    first.advance({ days: 3 });
    await post(`/subscriptions/${pair?.subscription_id}/components/${pair?.component_id}/allocations.json`, {
      allocation: { quantity: 13 },
    });
    await post('/webhooks/replay.json', { ids: failed });
    await first.idle();
    first.advance({ months: 1 });
    const [webhooks, statements] = [[...first.truth.webhooks()], [...first.truth.statements()]];
    const now = first.describe().now;
    await first.close();
    expect(readFileSync(data, 'utf8').length).toBeLessThan(30_000);

    const second = await startSandbox(options);
    onTestFinished(() => second.close());
    expect([...second.truth.webhooks()]).toEqual(webhooks);
    expect([...second.truth.statements()]).toEqual(statements);
    expect(second.describe().now.slice(0, 16)).toBe(now.slice(0, 16));
    expect(audit(second)).toEqual([]);
  });

  test('sends after a restart what was queued before it', async () => {
    const data = join(folder(), 'site.jsonl');
    const first = await startSandbox({ data, settings: { queueDelay: 600_000 } });
    const ids = [...first.truth.webhooks()]
      .filter(({ successful }) => !successful)
      .map(({ id }) => id as number);
    await visitor(first).post('/webhooks/replay.json', { ids });
    await first.close();
    const second = await startSandbox({ data, settings: { queueDelay: 1 } });
    onTestFinished(() => second.close());
    await second.idle();
    expect([...second.accepted.keys()].sort()).toEqual(ids.sort());
  });

  test('survives a line cut short by a crash', async () => {
    const data = join(folder(), 'site.jsonl');
    const first = await startSandbox({ data });
    first.advance({ days: 2 });
    const count = first.truth.counts().webhooks;
    await first.close();
    writeFileSync(data, `${readFileSync(data, 'utf8')}{"op":"advance","from":17`);
    const second = await startSandbox({ data });
    onTestFinished(() => second.close());
    expect(second.truth.counts().webhooks).toBe(count);
    second.advance({ days: 2 });
    expect(readFileSync(data, 'utf8').trim().split('\n')).toHaveLength(3);
  });

  test('belongs to one seed and size', async () => {
    const data = join(folder(), 'site.jsonl');
    await (await startSandbox({ data, seed: 3 })).close();
    await expect(startSandbox({ data, seed: 4 })).rejects.toThrow('holds a sandbox with seed 3, not 4');
    writeFileSync(data, '{"hello":1}\n');
    await expect(startSandbox({ data })).rejects.toThrow('is not a sandbox data file');
  });
});

describe('dates of a zone', () => {
  const eastern = new TimeZone('America/New_York');
  test('keep summer time', () => {
    expect(eastern.iso(Date.UTC(2016, 10, 8, 21, 22, 26) / 1000)).toBe('2016-11-08T16:22:26-05:00');
    expect(eastern.payload(Date.UTC(2016, 9, 24, 20, 22, 26) / 1000)).toBe('2016-10-24 16:22:26 -0400');
    expect(eastern.dayStart('2026-11-01')).toBe(Date.UTC(2026, 10, 1, 4) / 1000);
    expect(eastern.dayStart('2026-11-02')).toBe(Date.UTC(2026, 10, 2, 5) / 1000);
    expect(new TimeZone('Asia/Kolkata').iso(0)).toBe('1970-01-01T05:30:00+05:30');
    expect(new TimeZone('UTC').iso(0)).toBe('1970-01-01T00:00:00+00:00');
  });

  test('add up', () => {
    const on = (text: string): number => Date.parse(`${text}T10:00:00Z`) / 1000;
    expect(addMonths(on('2026-01-31'), 1)).toBe(on('2026-02-28'));
    expect(addMonths(on('2026-01-31'), 2)).toBe(on('2026-03-31'));
    expect(addMonths(on('2026-11-05'), 2)).toBe(on('2027-01-05'));
    expect(findMonthStart('2026-01-15', -1)).toBe('2025-12-01');
    expect([isValidDate('2026-02-29'), isValidDate('2028-02-29'), isValidDate('x')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('are those of the site chosen', async () => {
    const { list } = await visit({ settings: { timeZone: 'Asia/Tokyo' } });
    const rows = await list('/webhooks.json?since_date=2026-10-01&until_date=2026-10-01&per_page=200');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ created_at }) => /^2026-10-01T.*\+09:00$/.test(created_at as string))).toBe(true);
  });
});

describe('webhooks of what happens now', () => {
  test('are sent for real, and tried again while the endpoint is down', async () => {
    const { post, sandbox } = await visit({
      settings: { queueDelay: 1, retryAfter: [60, 60, 60, 60], timeScale: 0.005 },
    });
    const [pair] = [...sandbox.truth.components()];
    sandbox.setEndpoint({ down: true });
    await post(`/subscriptions/${pair?.subscription_id}/components/${pair?.component_id}/allocations.json`, {
      allocation: { quantity: 33 },
    });
    await expect.poll(() => sandbox.received.length).toBeGreaterThanOrEqual(2);
    sandbox.setEndpoint({});
    await sandbox.idle();
    const newest = [...sandbox.truth.webhooks()].slice(-2);
    expect(newest.every(({ successful, last_error }) => successful && last_error === null)).toBe(true);
  });
});
