import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { addMonths, findMonthStart, isValidDate, TimeZone } from '../../src/sandbox/simulation/time-zone.ts';
import { auditSandbox } from './sandbox-audit.ts';
import { createSandboxClient, type JsonObject, startTestSandbox } from './sandbox-client.ts';

const createTemporaryFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

describe('clock', () => {
  test('starts at the given time and sends it in the Date header', async () => {
    const { get, sandbox } = await startTestSandbox({ now: '2025-03-15T12:00:00Z' });
    expect((await get('/webhooks.json')).headers.get('date')).toMatch(/^Sat, 15 Mar 2025 12:00:/);
    const newestWebhook = [...sandbox.truth.webhooks()].at(-1) as JsonObject;
    expect((newestWebhook['created_at'] as string).slice(0, 7)).toBe('2025-03');
    expect(auditSandbox(sandbox)).toEqual([]);
  });

  test('causes renewals, failures, retries and settlements with their webhooks when advanced', async () => {
    const { get, sandbox } = await startTestSandbox({ subscriptions: 150 });
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

  test('causes the same renewals whether advanced in steps or all at once', async () => {
    const [steps, singleStep] = await Promise.all([startTestSandbox(), startTestSandbox()]);
    for (let day = 0; day < 30; day++) steps.sandbox.advance({ days: 1 });
    singleStep.sandbox.advance({ days: 30 });
    const settled = (rows: Iterable<JsonObject>): unknown[] =>
      [...rows].map(({ id, ending_balance_in_cents }) => [id, ending_balance_in_cents]);
    expect(settled(steps.sandbox.truth.statements())).toEqual(settled(singleStep.sandbox.truth.statements()));
  });

  test('leaves failed webhooks when advanced while the endpoint is down', async () => {
    const { sandbox } = await startTestSandbox({ outage: false, subscriptions: 100 });
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

  test('cannot be set back', async () => {
    const { sandbox } = await startTestSandbox();
    for (const duration of [{}, { days: 0 }, { days: -1 }, { months: Number.NaN }])
      expect(() => sandbox.advance(duration)).toThrow(RangeError);
  });
});

describe('data file', () => {
  test('stores allocations, replays, outcomes and time, but no data that can be regenerated', async () => {
    const data = join(createTemporaryFolder(), 'site.jsonl');
    const options = { data, settings: { queueDelay: 1, timeScale: 0.001 }, endpointPort: 0 };
    const first = await startSandbox(options);
    const { post } = createSandboxClient(first);
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
    expect(auditSandbox(second)).toEqual([]);
  });

  test('keeps queued webhooks, which are delivered after a restart', async () => {
    const data = join(createTemporaryFolder(), 'site.jsonl');
    const first = await startSandbox({ data, settings: { queueDelay: 600_000 } });
    const ids = [...first.truth.webhooks()]
      .filter(({ successful }) => !successful)
      .map(({ id }) => id as number);
    await createSandboxClient(first).post('/webhooks/replay.json', { ids });
    await first.close();
    const second = await startSandbox({ data, settings: { queueDelay: 1 } });
    onTestFinished(() => second.close());
    await second.idle();
    expect([...second.accepted.keys()].sort()).toEqual(ids.sort());
  });

  test('can be read after a crash truncated its last line', async () => {
    const data = join(createTemporaryFolder(), 'site.jsonl');
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

  test('is valid only for its seed and size', async () => {
    const data = join(createTemporaryFolder(), 'site.jsonl');
    await (await startSandbox({ data, seed: 3 })).close();
    await expect(startSandbox({ data, seed: 4 })).rejects.toThrow('contains a sandbox with seed 3, not 4');
    writeFileSync(data, '{"hello":1}\n');
    await expect(startSandbox({ data })).rejects.toThrow('is not a sandbox data file');
  });
});

describe('dates in a time zone', () => {
  const eastern = new TimeZone('America/New_York');
  test('follow daylight saving time', () => {
    expect(eastern.iso(Date.UTC(2016, 10, 8, 21, 22, 26) / 1000)).toBe('2016-11-08T16:22:26-05:00');
    expect(eastern.payload(Date.UTC(2016, 9, 24, 20, 22, 26) / 1000)).toBe('2016-10-24 16:22:26 -0400');
    expect(eastern.dayStart('2026-11-01')).toBe(Date.UTC(2026, 10, 1, 4) / 1000);
    expect(eastern.dayStart('2026-11-02')).toBe(Date.UTC(2026, 10, 2, 5) / 1000);
    expect(new TimeZone('Asia/Kolkata').iso(0)).toBe('1970-01-01T05:30:00+05:30');
    expect(new TimeZone('UTC').iso(0)).toBe('1970-01-01T00:00:00+00:00');
  });

  test('are added across month ends', () => {
    const noonOf = (text: string): number => Date.parse(`${text}T10:00:00Z`) / 1000;
    expect(addMonths(noonOf('2026-01-31'), 1)).toBe(noonOf('2026-02-28'));
    expect(addMonths(noonOf('2026-01-31'), 2)).toBe(noonOf('2026-03-31'));
    expect(addMonths(noonOf('2026-11-05'), 2)).toBe(noonOf('2027-01-05'));
    expect(findMonthStart('2026-01-15', -1)).toBe('2025-12-01');
    expect([isValidDate('2026-02-29'), isValidDate('2028-02-29'), isValidDate('x')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('use the time zone of the site', async () => {
    const { getList } = await startTestSandbox({ settings: { timeZone: 'Asia/Tokyo' } });
    const rows = await getList('/webhooks.json?since_date=2026-10-01&until_date=2026-10-01&per_page=200');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ created_at }) => /^2026-10-01T.*\+09:00$/.test(created_at as string))).toBe(true);
  });
});

describe('webhooks of new events', () => {
  test('are delivered, and retried while the endpoint is down', async () => {
    const { post, sandbox } = await startTestSandbox({
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
