import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { ReadableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { listCustomerBalances } from '../../../src/backend/workpaper/customer-balances.ts';
import { readDeferredCharges } from '../../../src/backend/workpaper/deferred-contributions.ts';
import { computeWorkpaper, readWorkpaperInputs } from '../../../src/backend/workpaper/workpaper.ts';
import { readAllWorkpaperItems } from '../../../src/backend/workpaper/workpaper-items.ts';
import type { WorkpaperSite } from '../../../src/backend/workpaper/workpaper-site.ts';
import { workpaperSchema as shape, type Workpaper } from '../../../src/contract/index.ts';
import {
  createStores,
  getEntryAccount,
  getLineEffect,
  getTrueBalance,
  listPostings,
  type RandomSite,
  randomSite,
} from './random-site.ts';
import { readFigureRows } from './read-figure-rows.ts';
import { recomputeDeferred, recomputeReceivables } from './recompute-balances.ts';

/** Number of random sites. For a long run: TIEOUT_FUZZ_RUNS=2000. */
const numRuns = Number(process.env['TIEOUT_FUZZ_RUNS'] ?? 12);
const PERIOD = '2026-10';
const DAYS = { last: '2026-10-31' };

let folder: string;
let templates: { books: string; cache: string };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-figures-'));
  templates = { books: join(folder, 'empty-books.db'), cache: join(folder, 'empty-cache.db') };
  for (const kind of ['books', 'cache'] as const) closeStore(openStore(templates[kind], kind));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const emptySite: RandomSite = {
  statements: [],
  payments: [],
  payouts: [],
  lines: [],
  bankStatements: [],
  groups: [],
  ledger: [],
  entries: [],
  locked: false,
  said: [],
};
const checksum: RandomSite['lines'][number] = {
  account: 2,
  day: '2026-10-05',
  cents: 900,
  out: false,
  currency: 'EUR',
  kind: 'payment',
  fee: null,
  payout: null,
};
const claim: RandomSite['groups'][number] = {
  lines: [0],
  payments: [],
  part: false,
  ignored: false,
  payout: null,
  reverses: false,
};

/** A receipt of the month that is matched with a payment of the next month. */
const matchedLater: RandomSite = {
  ...emptySite,
  payments: [{ day: '2026-11-05', cents: 900, refund: false, currency: 'EUR' }],
  lines: [checksum],
  groups: [{ ...claim, payments: [0] }],
};

/** A line that is shared by three matches, so that it has more rows than a page. */
const claimedByThree: RandomSite = {
  ...emptySite,
  lines: [checksum],
  groups: [{ ...claim, part: true }, { ...claim, part: true }, claim],
};

test('every figure equals the sum of its rows and an independent recomputation', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(randomSite, async (generated) => {
      const runFolder = mkdtempSync(join(folder, 'run-'));
      const site = await createStores(generated, templates, runFolder);
      try {
        checkFigures(site, generated);
      } finally {
        site.close();
        rmSync(runFolder, { recursive: true, force: true });
      }
    }),
    {
      numRuns,
      examples: [[matchedLater], [claimedByThree]],
      endOnFailure: process.env['SHRINK'] === undefined,
    },
  );
});

function checkFigures(site: WorkpaperSite, generated: RandomSite): void {
  const at = { now: Date.UTC(2026, 10, 21), version: 'test' };
  const workpaper = computeWorkpaper(site, PERIOD, at);
  shape.parse(workpaper);
  const again = computeWorkpaper(site, PERIOD, { ...at, now: at.now + 1 });
  expect(again.digest).toBe(workpaper.digest);
  const customers = listCustomerBalances(site, { first: '2026-10-01', last: DAYS.last });
  expect(customers.reduce((all, { total_in_cents }) => all + total_in_cents, 0)).toBe(
    [...recomputeReceivables(generated)].find(([id]) => id === 'S5.closing')?.[1],
  );
  const deferred = [...readDeferredCharges(site, { first: '2026-10-01', last: DAYS.last })];
  expect(deferred.reduce((all, { closing_in_cents }) => all + closing_in_cents, 0)).toBe(
    recomputeDeferred(generated).get('S6.closing'),
  );
  const items = [...readAllWorkpaperItems(site, readWorkpaperInputs(site, PERIOD))];
  for (const { currency, schedules, outstanding, aging } of workpaper.sections) {
    const figures = new Map(schedules.flatMap(({ lines }) => lines.map((line) => [line.id, line] as const)));
    const cents = (id: string) => figures.get(id)?.amount_in_cents ?? 0;
    // The schedules add up for any matches, because both sides are computed independently.
    // An account differs from its bank statements only if one of them is wrong.
    const isBankWrong = generated.bankStatements.some(({ error }) => error !== 0);
    for (const { id, difference_in_cents } of schedules)
      if (id !== 'S4' && (!isBankWrong || !id.startsWith('S3')))
        expect([currency, id, difference_in_cents]).toEqual([currency, id, 0]);
    expect(cents('S3.sent')).toBe(cents('S2.sent'));
    expect(cents('S3.direct')).toBe(0 - cents('S2.direct') + 0);
    for (const line of figures.values()) {
      expect(line.ticks.length, line.id).toBeGreaterThan(0);
      if (!line.opens) continue;
      const rows = readFigureRows(site, { period: PERIOD, currency, figure: line.id, limit: 1000 });
      const sum = rows.rows.reduce((all, { amount_in_cents }) => all + amount_in_cents, 0);
      // The figure has as many rows as the schedule shows, each once.
      expect([line.id, rows.rows.length, rows.total]).toEqual([
        line.id,
        line.count,
        { count: line.count, exact: true },
      ]);
      expect(new Set(rows.rows.map((row) => JSON.stringify(row))).size).toBe(line.count);
      expect([line.id, sum, rows.sum]).toEqual([
        line.id,
        line.amount_in_cents,
        { count: line.count, amount_in_cents: line.amount_in_cents },
      ]);
      const pagedRows = readFigureRows(site, { period: PERIOD, currency, figure: line.id, limit: 2 });
      expect(pagedRows.rows).toEqual(rows.rows.slice(0, 2));
      if (pagedRows.next !== null) {
        const next = readFigureRows(site, {
          period: PERIOD,
          currency,
          figure: line.id,
          limit: 2,
          after: pagedRows.next,
        });
        expect(next.rows[0]).toEqual(rows.rows[2]);
      }
    }
    for (const [id, expected] of recomputeAccountFigures(generated, currency, schedules))
      expect([currency, id, cents(id)]).toEqual([currency, id, expected]);
    for (const [id, expected] of recomputeLedgerFigures(generated, currency, cents))
      expect([currency, id, cents(id)]).toEqual([currency, id, expected]);
    if (currency === 'USD')
      for (const [id, expected] of [...recomputeReceivables(generated), ...recomputeDeferred(generated)])
        expect([id, cents(id)]).toEqual([id, expected]);
    for (const [id, expected] of recomputeFigures(site, currency))
      expect([currency, id, cents(id)]).toEqual([currency, id, expected]);
    const expectedItem = items.filter((item) => item.currency === currency);
    expect(outstanding.count).toBe(expectedItem.length);
    expect(outstanding.amount_in_cents).toBe(
      expectedItem.reduce((all, { amount_in_cents }) => all + amount_in_cents, 0),
    );
    expect(aging.reduce((all, { count }) => all + count, 0)).toBe(expectedItem.length);
  }
}

/** Recomputes the schedules of accounts with stated balances in JavaScript, from the generated lines and statements. */
function recomputeAccountFigures(
  generated: RandomSite,
  currency: string,
  schedules: Workpaper['sections'][number]['schedules'],
): Map<string, number> {
  const expected = new Map<string, number>();
  for (const { id, lines } of schedules) {
    if (!id.startsWith('S3-') || !lines.some((line) => line.id === `${id}.opening`)) continue;
    const account = Number(id.slice(3));
    const ofAccount = generated.lines.filter(
      (line) => line.account === account && line.currency === currency && line.day.startsWith(PERIOD),
    );
    const sum = (sign: 1 | -1) =>
      ofAccount
        .map((line) => (account === 1 ? (line.out ? -line.cents : line.cents) : getLineEffect(line)))
        .filter((amount) => Math.sign(amount) === sign)
        .reduce((all, amount) => all + amount, 0);
    expected.set(`${id}.received`, sum(1)).set(`${id}.paid`, sum(-1));
    if (generated.bankStatements.some(({ error }) => error !== 0)) continue;
    expected.set(`${id}.opening`, getTrueBalance(generated, account, currency, '2026-09-30'));
    expected.set(`${id}.closing`, getTrueBalance(generated, account, currency, DAYS.last));
  }
  return expected;
}

/** Recomputes schedule S4 in JavaScript, from the generated ledger and the figures of S1 to S3. */
function recomputeLedgerFigures(
  generated: RandomSite,
  currency: string,
  cents: (id: string) => number,
): Map<string, number> {
  const expected = new Map<string, number>();
  const records: Record<string, number> = {
    revenue: cents('S1.charges') + cents('S1.adjusted') + cents('S1.credits'),
    receivables: cents('S1.charges') + cents('S1.adjusted') + cents('S1.credits') + cents('S1.payments'),
    clearing:
      ['gross', 'chargebacks', 'fees', 'fx', 'reserve', 'other'].reduce(
        (sum, name) => sum + cents(`S2.${name}`),
        0,
      ) - cents('S2.sent'),
    fees: 0 - cents('S2.fees'),
    cash: cents('S3.deposits') + cents('S3.returned') + cents('S3.other-out'),
  };
  const isOctober = ({ day }: { day: string }) => day.startsWith(PERIOD);
  for (const area of Object.keys(records)) {
    const at = generated.ledger.findIndex((each) => each.area === area && each.currency === currency);
    const of = generated.ledger[at];
    if (of === undefined) continue;
    const postings = listPostings(of, generated).filter(isOctober);
    if (postings.length === 0 && !of.balances) {
      expected.set(`S4.${area}-difference`, 0);
      continue;
    }
    const toArea = (amount: number) => (area === 'revenue' ? 0 - amount : amount);
    const sum = postings.reduce((all, each) => all + each.cents, 0);
    const ledger = of.natural ? sum : toArea(sum);
    const entries = generated.entries
      .filter((each) => isOctober(each) && each.currency === currency && !each.posted)
      .reduce((all, each) => {
        const isOfArea = (index: number) =>
          getEntryAccount(generated, index) !== 'other' && generated.ledger[index]?.area === area;
        return (
          all + toArea((isOfArea(each.debit) ? each.cents : 0) - (isOfArea(each.credit) ? each.cents : 0))
        );
      }, 0);
    const difference = ledger + entries - records[area]!;
    expected
      .set(`S4.${area}`, records[area]! + 0)
      .set(`S4.${area}-ledger`, ledger + 0)
      .set(`S4.${area}-entries`, entries + 0)
      .set(`S4.${area}-difference`, difference + 0);
    // The unmatched rows of both sides explain the difference.
    if (!of.balances)
      expected.set(`S4.${area}-missing`, difference - entries - cents(`S4.${area}-extra`) + 0);
  }
  return expected;
}

/** Recomputes the figures by plain SQL queries that share no code with the app. */
function recomputeFigures({ books, cache }: WorkpaperSite, currency: string): Map<string, number> {
  const queryNumber = (db: ReadableDb, sql: string, ...values: (string | number)[]) =>
    Number(
      db
        .prepare(sql)
        .pluck()
        .get(...values) ?? 0,
    );
  const { last } = DAYS;
  /** Late rows count on the first date that was not locked. */
  const countedInPeriod = (kind: string, table: string, own: string) =>
    `coalesce((SELECT posted_on FROM late_row WHERE late_row.kind = '${kind}' AND late_row.id = ${table}.id), ${own})`;
  const dated = "BETWEEN '2026-10-01' AND '2026-10-31'";
  const payments = (what: string, where: string) =>
    queryNumber(
      books,
      `SELECT coalesce(sum(${what}), 0) FROM match_payment WHERE currency = ? AND ${countedInPeriod('payment', 'match_payment', 'paid_on')} ${dated} AND ${where}`,
      currency,
    );
  const lines = (what: string, where: string) =>
    queryNumber(
      books,
      `SELECT coalesce(sum(${what}), 0) FROM bank_line l JOIN bank_account a ON a.id = l.account_id
       WHERE l.currency = ? AND ${countedInPeriod('line', 'l', 'booked_on')} ${dated} AND ${where}`,
      currency,
    );
  const claims =
    '(SELECT coalesce(sum(i.allocated_in_cents), 0) FROM match_item i WHERE i.line_id = l.id AND i.claim_state >= 3)';
  const receipts = "a.kind = 'processor' AND l.kind IN ('payment', 'entry', 'refund')";
  const batch = `(SELECT p.paid_on FROM bank_payout p WHERE p.account_id = l.account_id AND p.payout_id = l.payout_id AND p.currency = l.currency)`;
  const unpaid = (day: string) =>
    queryNumber(
      books,
      `SELECT coalesce(sum(CASE WHEN l.kind = 'payout' THEN l.amount_in_cents ELSE l.amount_in_cents - coalesce(l.fee_in_cents, 0) END), 0)
       FROM bank_line l JOIN bank_account a ON a.id = l.account_id
       WHERE a.kind = 'processor' AND l.currency = ? AND ${countedInPeriod('line', 'l', 'booked_on')} <= ? AND coalesce(${batch}, '9999') > ?
         AND (l.kind <> 'payout' OR ${batch} IS NULL)`,
      currency,
      day,
      day,
    );
  const found = new Map([
    ['S2.payments', payments('amount_in_cents', "kind = 'payment'")],
    ['S2.refunds', payments('amount_in_cents', "kind = 'refund'")],
    ['S2.open', 0 - payments('amount_in_cents - claimed_in_cents', '1') + 0],
    ['S2.gross', lines('l.amount_in_cents', receipts)],
    ['S2.report-open', lines(`l.amount_in_cents - ${claims}`, receipts)],
    ['S2.chargebacks', lines('l.amount_in_cents', "a.kind = 'processor' AND l.kind = 'chargeback'")],
    ['S2.reserve', lines('l.amount_in_cents', "a.kind = 'processor' AND l.kind = 'reserve'")],
    [
      'S2.fees',
      lines('l.amount_in_cents', "a.kind = 'processor' AND l.kind = 'fee'") -
        lines('coalesce(l.fee_in_cents, 0)', "a.kind = 'processor' AND l.kind <> 'payout'"),
    ],
    ['S2.closing', 0 - unpaid(last) + 0],
    ['S2.opening', unpaid('2026-09-30')],
    ['S3.deposits', lines('l.amount_in_cents', "a.kind = 'bank' AND l.amount_in_cents > 0")],
    ['S3.open', lines(`l.amount_in_cents - ${claims}`, "a.kind = 'bank' AND l.amount_in_cents > 0")],
  ]);
  if (currency !== 'USD') return found;
  const closed = `closed_at IS NOT NULL AND substr(closed_at_text, 1, 10) ${dated}`;
  const end = (column: string, order: string) =>
    queryNumber(
      cache,
      `SELECT coalesce(sum((SELECT ${column} FROM statement s WHERE s.subscription_id = x.subscription_id AND ${closed}
         ORDER BY closed_at ${order}, opened_at ${order}, id ${order} LIMIT 1)), 0)
       FROM (SELECT DISTINCT subscription_id FROM statement WHERE ${closed}) AS x`,
    );
  const effect = (sign: string, where: string) =>
    queryNumber(
      cache,
      `SELECT coalesce(sum(${sign}), 0) FROM txn JOIN statement s ON s.id = statement_id WHERE ${closed.replaceAll('closed_at', 's.closed_at')} AND ${where}`,
    );
  return found
    .set('S1.opening', end('starting_balance_in_cents', 'ASC'))
    .set('S1.closing', end('ending_balance_in_cents', 'DESC'))
    .set('S1.charges', effect('amount_in_cents', "transaction_type = 'charge' AND success = 1"))
    .set('S1.credits', effect('-abs(amount_in_cents)', "transaction_type = 'credit' AND success = 1"))
    .set('S1.matched', payments('amount_in_cents', "kind = 'payment'"));
}
