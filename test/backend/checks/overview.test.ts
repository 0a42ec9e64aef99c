import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../../../src/contract/index.ts';
import { findBalanceEffect } from '../../../src/domain/ledger/index.ts';
import { SITE } from '../writer-test-site.ts';
import { type CheckBench, openCheckBench } from './check-bench.ts';

const site = SITE;
let bench: CheckBench;
beforeAll(async () => {
  bench = await openCheckBench({
    seed: 61,
    subscriptions: 40,
    faults: 'plant.arithmetic=1,plant.allocation_chain=1',
  });
  expect(await bench.sync()).toMatchObject({ state: 'done' });
});
afterAll(() => bench.close());

describe('overview', () => {
  it('has the same counts as the lists, for all records and for a month', async () => {
    for (const period of [undefined, '2026-10', '2026-08']) {
      const summary = await bench.client.check.summary({ site, ...(period && { period }) });
      const filter = { status: ['open' as const], ...(period && { period }) };
      const open = await bench.exceptions(filter);
      expect(summary.exceptions.open).toBe(open.length);
      expect(summary.exceptions.unassigned).toBe(open.length);
      expect(summary.exceptions.at_stake_in_cents).toBe(
        open.reduce((sum, row) => sum + row.at_stake_in_cents, 0),
      );
      expect(summary.by_severity.map(({ severity, open }) => [severity, open])).toEqual(
        (['error', 'warning', 'notice'] as const).map((severity) => [
          severity,
          open.filter((row) => row.severity === severity).length,
        ]),
      );
      expect(summary.by_rule.reduce((sum, each) => sum + each.open, 0)).toBe(open.length);
      expect(summary.aging.reduce((sum, each) => sum + each.open, 0)).toBe(open.length);
      const webhooks = await bench.client.webhooks
        .list({
          site,
          filter: { status: 'failed', ...(period && { since: `${period}-01`, until: `${period}-31` }) },
          limit: 1,
        })
        .catch(() => null);
      if (webhooks !== null) expect(summary.webhooks.not_accepted).toBe(webhooks.total?.count);
      expect(summary.period?.period).toBe(period);
    }
  });

  it('lists the stored months with their open exceptions and the month to close next', async () => {
    const { months, due } = await bench.client.check.months({ site });
    const statements = [...bench.sandbox.truth.statements()];
    const days = statements.flatMap(({ opened_at, closed_at }) => [opened_at, closed_at ?? opened_at]);
    const webhooks = [...bench.sandbox.truth.webhooks()].map(({ created_at }) => created_at);
    const moments = [...days, ...webhooks].map((day) => String(day).slice(0, 7)).sort();
    expect(months[0]?.period).toBe(moments.at(-1));
    expect(months.at(-1)?.period).toBe(moments[0]);
    for (const { period, open } of months) {
      expect((await bench.exceptions({ period, status: ['open'] })).length, period).toBe(open);
    }
    expect(months.reduce((sum, { open }) => sum + open, 0)).toBe((await bench.exceptions()).length);
    // The outage is in October, which has ended by the sandbox's clock.
    expect(due).toBe('2026-10');
    expect(await bench.client.check.months({ site: 'nobody' }).catch(() => null)).toBeNull();
  });

  it('shows how recent the data is and suggests the next steps', async () => {
    const { checked, freshness, next } = await bench.client.check.summary({ site });
    expect(checked).toMatchObject({ waiting: 0, running: null, stale: null });
    expect(Date.parse(checked.full_at ?? '')).toBeGreaterThan(Date.now() - 600_000);
    expect(freshness).toMatchObject({ complete: true });
    expect(next.map(({ kind }) => kind)).toEqual(['replay', 'review']);
    expect(next[1]?.message).toMatch(/^\d+ exceptions to review, \d+ of them unassigned\.$/);
  });

  it('reports before the first sync that nothing is stored', async () => {
    const { client } = bench;
    const { url } = bench.sandbox;
    await client.sites.add({
      title: 'Empty',
      site: 'empty',
      base_url: url.replace('127.0.0.1', 'localhost'),
      api_key: bench.sandbox.apiKey,
    });
    const summary = await client.check.summary({ site: 'empty' });
    expect(summary.next.map(({ kind }) => kind)).toEqual(['sync']);
    expect(await client.check.months({ site: 'empty' })).toEqual({ months: [], due: null });
    expect(summary.checked).toMatchObject({ at: null, full_at: null });
    expect((await client.check.rules({ site: 'empty' })).every(({ idle }) => idle !== null)).toBe(true);
    expect(await client.audit.verify({ site: 'empty' })).toMatchObject({ ok: true, entries: 1 });
  });
});

describe('exception', () => {
  it('is shown with its arithmetic and the current rows behind it', async () => {
    for (const { id, rule } of await bench.exceptions()) {
      const detail = await bench.client.exceptions.get({ site, id });
      expect(detail.rows.length).toBeGreaterThan(0);
      for (const { kind, row, text } of detail.rows) {
        expect(row, `${rule} ${kind}`).not.toBeNull();
        expect(text).not.toContain('not held');
      }
      expect(detail.history.map(({ action: what }) => what)).toEqual(['found']);
      expect(detail.dated_on).toMatch(/^2026-\d\d-\d\d$/);
      if (detail.expected_in_cents === null || detail.actual_in_cents === null) continue;
      expect(detail.difference_in_cents).toBe(detail.actual_in_cents - detail.expected_in_cents);
      expect(detail.arithmetic.length).toBeGreaterThan(0);
    }
  });
});

describe('activity of a subscription', () => {
  async function readActivity(subscription_id: number, more: object = {}, limit = 1000) {
    const entries: ActivityEntry[] = [];
    let after: string | undefined;
    do {
      const page = await bench.client.subscriptions.activity({
        site,
        subscription_id,
        limit,
        ...more,
        ...(after && { after }),
      });
      entries.push(...page.rows);
      after = page.next ?? undefined;
    } while (after !== undefined);
    return entries;
  }

  it('has all records of the service in order, for any page size and direction', async () => {
    const { truth } = bench.sandbox;
    const [broken] = await bench.exceptions({ rule: ['allocation-chain'] });
    const subscription_id = broken?.subject.subscription_id as number;
    const all = await readActivity(subscription_id);
    const kinds = Map.groupBy(all, ({ kind }) => kind);
    const statements = [...truth.statements()].filter((row) => row['subscription_id'] === subscription_id);
    expect(
      kinds.get('statement')?.filter((entry) => entry.kind === 'statement' && entry.milestone === 'opened'),
    ).toHaveLength(statements.length);
    const transactions = statements.flatMap((row) => row['transactions'] as { id: number }[]);
    expect(kinds.get('transaction')).toHaveLength(transactions.length);
    const components = [...truth.components()].filter(
      (component) => component.subscription_id === subscription_id,
    );
    expect(kinds.get('allocation')).toHaveLength(
      components.reduce((sum, component) => sum + truth.allocations(component).length, 0),
    );
    expect(kinds.get('exception')?.length).toBeGreaterThan(0);
    const times = all.map(({ at }) => (at === null ? 0 : Date.parse(at)));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // A statement's entries end before the next statement opens, also within one second.
    const turns = all.flatMap((entry) => (entry.kind === 'statement' ? [entry] : []));
    for (const [n, { statement }] of turns.filter(({ milestone }) => milestone === 'opened').entries()) {
      const before = turns.filter(({ milestone }) => milestone === 'opened')[n - 1]?.statement;
      if (before?.closed_at == null || before.closed_at !== statement.opened_at) continue;
      const place = (id: number, turn: string) =>
        turns.findIndex((each) => each.statement.id === id && each.milestone === turn);
      expect(place(before.id, 'closed')).toBeLessThan(place(statement.id, 'opened'));
    }
    expect(await readActivity(subscription_id, {}, 7)).toEqual(all);
    expect(await readActivity(subscription_id, { direction: 'desc' }, 9)).toEqual(all.toReversed());
    const some = await readActivity(subscription_id, { kinds: ['statement', 'exception'] }, 3);
    expect(some).toEqual(all.filter(({ kind }) => kind === 'statement' || kind === 'exception'));
  });

  it('carries the balance from statement to statement and totals the figures', async () => {
    const { rows } = await bench.client.subscriptions.list({ site, limit: 40 });
    for (const { subscription_id } of rows) {
      const page = await bench.client.subscriptions.activity({ site, subscription_id, limit: 1000 });
      const { figures } = page;
      expect(page.total?.count).toBe(page.rows.length);
      const opened = page.rows.flatMap((entry) =>
        entry.kind === 'statement' && entry.milestone === 'opened' ? [entry] : [],
      );
      expect(opened[0]?.brought_forward ?? null).toBeNull();
      for (const [at, entry] of opened.entries()) {
        const before = opened[at - 1];
        if (before === undefined) continue;
        expect(entry.brought_forward?.from_statement_id).toBe(before.statement.id);
        expect(entry.brought_forward?.step_in_cents).toBe(
          entry.statement.starting_balance_in_cents - before.statement.ending_balance_in_cents,
        );
      }
      for (const [kind, count] of Object.entries(figures?.counts ?? {})) {
        const of = page.rows.filter(
          (entry) => entry.kind === kind && (entry.kind !== 'statement' || entry.milestone === 'opened'),
        );
        expect(count, kind).toBe(of.length);
      }
      for (const entry of page.rows) {
        if (entry.kind === 'transaction')
          expect(entry.effect_in_cents).toBe(findBalanceEffect(entry.transaction));
      }
      const balances = figures?.balance ?? [];
      const times = balances.map(({ at }) => Date.parse(at));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      const last = opened.at(-1)?.statement;
      if (last?.state !== 'open')
        expect(balances.at(-1)?.balance_in_cents).toBe(last?.ending_balance_in_cents);
      for (const { component_id, before, steps } of figures?.components ?? []) {
        const history = await bench.client.allocations.list({
          site,
          subscription_id,
          component_id,
          limit: 1000,
        });
        expect(steps.map(({ quantity }) => quantity).reverse()).toEqual(
          history.rows.map(({ quantity }) => quantity),
        );
        expect(before).toBe(history.rows.at(-1)?.previous_quantity);
      }
    }
  });

  it('is not found for an unknown subscription', async () => {
    await expect(bench.client.subscriptions.activity({ site, subscription_id: 5 })).rejects.toMatchObject({
      code: 'not_found',
    });
    const activity = bench.client.subscriptions.activity({ site, subscription_id: 5, after: 'bm90aGluZw' });
    await expect(activity).rejects.toMatchObject({ code: 'validation' });
  });
});
