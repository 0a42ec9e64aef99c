import { afterAll, expect, test } from 'vitest';
import { parseWebhookBody } from '../../../src/billing/index.ts';
import {
  findMissingWebhooks,
  listUnknownEvents,
  type MissingWebhook,
  reconstructWebhook,
} from '../../../src/domain/missing-webhooks/index.ts';
import {
  type Sandbox,
  type SandboxOptions,
  startSandbox,
  type UngeneratedWebhook,
} from '../../../src/sandbox/index.ts';
import { readFeed, toLoggedNotifications, toNotificationRecords } from './sandbox-records.ts';

/** The sandbox knows which webhooks it did not generate. The derivation sees only records and the log. */

/** Number of simulated sites per test. Long runs set a higher number. */
const SEEDS = Number(process.env['TIEOUT_SEEDS'] ?? 6);
const DAY_MS = 86_400_000;

const open: Sandbox[] = [];
afterAll(() => Promise.all(open.map((sandbox) => sandbox.close())));

/** Starts a site whose endpoint was disabled for a time that the seed determines. */
async function startSiteWithHole(seed: number, options: SandboxOptions = {}) {
  const from = Date.parse('2026-08-28T03:17:00Z') + (seed % 17) * 1.37 * DAY_MS;
  const to = from + (6 + (seed % 5) * 3.1) * DAY_MS;
  const disabled = [new Date(from).toISOString(), new Date(to).toISOString()] as const;
  const sandbox = await startSandbox({
    seed,
    subscriptions: 50,
    months: 3,
    faults: { endpoint_disabled: disabled },
    ...options,
  });
  open.push(sandbox);
  return { sandbox, from, to };
}

const describeWebhook = (each: UngeneratedWebhook | MissingWebhook): string =>
  [each.event, each.subscription_id, each.transaction_id ?? '', each.statement_id ?? ''].join(' ');

function findIn(sandbox: Sandbox, range: { from: number; to: number }, hasIds = true): MissingWebhook[] {
  const webhooks = toLoggedNotifications(sandbox, hasIds);
  const complete = { from: 0, to: Date.parse(sandbox.describe().now) };
  const log = { webhooks, complete, events: new Set(webhooks.map(({ event }) => event)) };
  return findMissingWebhooks(toNotificationRecords(sandbox), log, range);
}

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`finds exactly the webhooks that were not generated: seed ${seed}`, async () => {
    const { sandbox, from, to } = await startSiteWithHole(seed);
    const expected = sandbox.truth.ungenerated().map(describeWebhook).sort();
    expect(expected.length).toBeGreaterThan(10);
    // Also from a much wider range, which contains many webhooks that were generated.
    for (const margin of [DAY_MS, 30 * DAY_MS]) {
      const found = findIn(sandbox, { from: from - margin, to: to + margin });
      expect(found.map(describeWebhook).sort()).toEqual(expected);
      expect(new Set(found.map(({ event, subject }) => `${event} ${subject}`)).size).toBe(found.length);
    }
  });

  test(`finds as many by event if bodies name only the subscription: seed ${seed}`, async () => {
    const { sandbox, from, to } = await startSiteWithHole(seed);
    const found = findIn(sandbox, { from: from - DAY_MS, to: to + DAY_MS }, false);
    const countByEvent = (list: readonly { event: string }[]) =>
      Object.fromEntries(
        [...Map.groupBy(list, ({ event }) => event)].map(([key, each]) => [key, each.length]),
      );
    // An hour around the edges, a webhook without ids may stand for the wrong one of two equal events.
    expect(countByEvent(found)).toEqual(countByEvent(sandbox.truth.ungenerated()));
  });
}

test('finds nothing on a site without a hole', async () => {
  const sandbox = await startSandbox({ seed: 91, subscriptions: 40, months: 3 });
  open.push(sandbox);
  expect(findIn(sandbox, { from: 0, to: Date.parse('2026-11-01T06:00:00Z') })).toEqual([]);
});

test('finds events that leave no record, such as usage, in the events feed', async () => {
  const { sandbox, from, to } = await startSiteWithHole(3, { webhooks: 2500 });
  const expected = sandbox.truth.ungenerated().map(describeWebhook).sort();
  expect(expected.some((each) => each.startsWith('metered_usage'))).toBe(true);
  const webhooks = toLoggedNotifications(sandbox);
  const log = {
    webhooks,
    complete: { from: 0, to: Date.now() },
    events: new Set(webhooks.map(({ event }) => event)),
  };
  const records = toNotificationRecords(sandbox);
  const range = { from: from - DAY_MS, to: to + DAY_MS };
  const withoutFeed = findMissingWebhooks(records, log, range);
  expect(withoutFeed.some(({ event }) => event === 'metered_usage')).toBe(false);
  const feed = await readFeed(sandbox, '&start_date=2026-08-01&end_date=2026-10-31');
  const events = [...records.events, ...feed];
  const found = findMissingWebhooks({ ...records, events }, log, range);
  expect(found.map(describeWebhook).sort()).toEqual(expected);
  // The feed alone shows the same events.
  const only = { transactions: [], statements: [], allocations: [], events: feed };
  const countsOf = (list: readonly { event: string }[]) => list.map(({ event }) => event).sort();
  expect(countsOf(findMissingWebhooks(only, log, range))).toEqual(countsOf(found));
});

test('states what is unknown instead of calling it missing', async () => {
  const { sandbox, from, to } = await startSiteWithHole(2);
  const webhooks = toLoggedNotifications(sandbox);
  const records = toNotificationRecords(sandbox);
  const events = new Set(webhooks.map(({ event }) => event));
  const uncertaintyOf = (log: Partial<Parameters<typeof findMissingWebhooks>[1]>) => {
    const complete = { from: 0, to: to + DAY_MS };
    const found = findMissingWebhooks(records, { webhooks, complete, events, ...log }, { from, to });
    return new Set(found.map(({ uncertainty }) => uncertainty));
  };
  expect(uncertaintyOf({})).toEqual(new Set([null]));
  expect(uncertaintyOf({ complete: null })).toEqual(new Set(['outside_log']));
  expect(uncertaintyOf({ complete: { from: 0, to: from - 1 } })).toEqual(new Set(['outside_log']));
  expect(uncertaintyOf({ events: new Set() })).toEqual(new Set(['event_not_in_log']));
  const unnamed = sandbox.truth.ungenerated().map(({ event, at }) => ({
    ...{ event, at, subscription_id: null, event_id: null, transaction_id: null },
    ...{ statement_id: null, component_id: null },
  }));
  expect(uncertaintyOf({ webhooks: [...webhooks, ...unnamed] })).toEqual(new Set(['unidentified_webhook']));
});

test('lists the events that records cannot show', () => {
  const eventsOf = (...input: Parameters<typeof listUnknownEvents>) =>
    listUnknownEvents(...input).map(({ event, reason }) => `${event} ${reason}`);
  const complete = { statements: true, allocations: true, feed: 'complete' as const };
  expect(eventsOf(complete, [])).toEqual([]);
  expect(eventsOf({ ...complete, allocations: false }, [])).toEqual([
    'component_allocation_change allocations_incomplete',
  ]);
  const withoutFeed = eventsOf({ ...complete, feed: 'unavailable' }, [
    'payment_success',
    'brand_new',
    'test',
  ]);
  expect(withoutFeed).toContain('brand_new feed_unavailable');
  expect(withoutFeed).toContain('component_allocation_change feed_unavailable');
  expect(withoutFeed).toContain('metered_usage feed_unavailable');
  expect(withoutFeed.join()).not.toContain('payment_success');
  expect(withoutFeed.join()).not.toContain('test');
  const nothing = eventsOf({ statements: false, allocations: false, feed: 'not_read' }, []);
  expect(nothing).toContain('statement_settled statements_incomplete');
  expect(nothing).toContain('signup_success feed_not_read');
});

test('marks every reconstructed webhook in its id and body', async () => {
  const { sandbox, from, to } = await startSiteWithHole(4);
  const serviceIds = new Set([...sandbox.truth.webhooks()].map(({ id }) => String(id)));
  const found = findIn(sandbox, { from, to });
  const ids = new Set<string>();
  for (const each of found) {
    const { id, event, body } = reconstructWebhook(each, 'harbor');
    const pairs = parseWebhookBody(body).pairs;
    expect(serviceIds.has(id)).toBe(false);
    expect(id).toMatch(/^reconstructed-[a-z_]+-/);
    expect(pairs.slice(0, 5)).toEqual([
      ['id', id],
      ['event', event],
      ['reconstructed', 'true'],
      ['payload[reconstructed]', 'true'],
      ['payload[site][subdomain]', 'harbor'],
    ]);
    expect(new Map(pairs).get('payload[subscription][id]')).toBe(String(each.subscription_id));
    ids.add(id);
  }
  expect(ids.size).toBe(found.length);
  expect(reconstructWebhook(found[0] as MissingWebhook, null).body).not.toContain('payload[site]');
});

test('encodes any text of a payload, so that it cannot forge another field', () => {
  const memo = 'a&event=payment_success=%ü \ud800';
  const base = {
    event: 'x_y',
    at: 0,
    subscription_id: 1,
    event_id: 2,
    transaction_id: null,
    statement_id: null,
  };
  const rest = { component_id: null, subject: 'event-2', sources: [], mayBeSignup: false };
  const { body } = reconstructWebhook({ ...base, ...rest, payload: { memo, none: null, on: false } }, 's&t');
  const pairs = parseWebhookBody(body).pairs;
  expect(pairs).toHaveLength(8);
  expect(new Map(pairs).get('payload[memo]')).toBe('a&event=payment_success=%ü \ufffd');
  expect(new Map(pairs).get('payload[none]')).toBe('');
});
