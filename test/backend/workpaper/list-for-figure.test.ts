import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { listBankLines } from '../../../src/backend/store/bank/bank-line-list.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { listPayments } from '../../../src/backend/store/matching/match-payment-list.ts';
import { listPayouts } from '../../../src/backend/store/matching/match-payout.ts';
import { listStatements } from '../../../src/backend/store/statements/statement-list.ts';

import { computeWorkpaper } from '../../../src/backend/workpaper/workpaper.ts';
import type { WorkpaperSite } from '../../../src/backend/workpaper/workpaper-site.ts';
import type { FigureRowsList } from '../../../src/contract/index.ts';
import { readAllPages } from '../store/read-all-pages.ts';
import { createStores, randomSite } from './random-site.ts';
import { readFigureRows } from './read-figure-rows.ts';

/** Number of random sites. For a long run: TIEOUT_FUZZ_RUNS=2000. */
const numRuns = Number(process.env['TIEOUT_FUZZ_RUNS'] ?? 12);
const PERIOD = '2026-10';

interface ShownList {
  readonly ids: number[];
  readonly cents: number;
  /** Unmatched amount in cents. */
  readonly open: number;
}

interface Money {
  readonly amount_in_cents: number;
  readonly claimed_in_cents: number;
}

const sumOf = (rows: readonly Money[], of: (row: Money) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0);

/** Returns the rows, count and totals of a list as shown to the user. Null if the list has no amounts. */
function showList({ books, cache }: WorkpaperSite, { list, filter }: FigureRowsList): ShownList | null {
  const direction = 'desc' as const;
  if (list === 'payouts') {
    const { rows } = readAllPages((page) => listPayouts(books, { filter, ...page }), 3);
    const sent = rows.reduce(
      (sum, { stated_in_cents, net_in_cents }) => sum + (stated_in_cents ?? net_in_cents),
      0,
    );
    return { ids: rows.map(({ id }) => id), cents: sent, open: sent };
  }
  if (list === 'statements') {
    const sort = { by: 'closed_at', direction } as const;
    const { rows, total } = readAllPages((page) => listStatements(cache, { filter, sort, ...page }), 3);
    expect(total.count).toBe(rows.length);
    const isOpening = filter.figure?.figure === 'S1.opening';
    const cents = rows.reduce(
      (sum, row) => sum + (isOpening ? row.starting_balance_in_cents : row.ending_balance_in_cents),
      0,
    );
    return { ids: rows.map(({ id }) => id), cents, open: cents };
  }
  if (list !== 'lines' && list !== 'payments') return null;
  const read = (page: { after?: string; limit: number }) =>
    list === 'lines'
      ? listBankLines(books, { filter, sort: { by: 'booked_on', direction }, ...page })
      : listPayments(books, { filter, sort: { by: 'paid_on', direction }, ...page });
  const { rows, total } = readAllPages<Money & { id: number }>(read, 3);
  const sums = read({ limit: 1 }).sums ?? [];
  const cents = sums.reduce((sum, { in_cents, out_cents }) => sum + in_cents + out_cents, 0);
  const claimed = sums.reduce((sum, { claimed_in_cents }) => sum + claimed_in_cents, 0);
  expect(total.count).toBe(rows.length);
  expect(cents).toBe(sumOf(rows, (row) => row.amount_in_cents));
  expect(claimed).toBe(sumOf(rows, (row) => row.claimed_in_cents));
  return { ids: rows.map(({ id }) => id), cents, open: cents - claimed };
}

/** Figures that contain only the open amount of each row. All others contain the full amount. */
const OPEN_AMOUNT_FIGURES = new Set(['S2.open', 'S2.before', 'S2.report-open', 'S3.open']);
const SUBTRACTED_FIGURES = new Set(['S2.open', 'S3.not-found']);

test('the list linked from a figure has the figure’s rows, count and total', {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-lists-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const templates = { books: join(folder, 'empty-books.db'), cache: join(folder, 'empty-cache.db') };
  for (const kind of ['books', 'cache'] as const) closeStore(openStore(templates[kind], kind));
  const comparedFigures = new Set<string>();
  await fc.assert(
    fc.asyncProperty(randomSite, async (generated) => {
      const runFolder = mkdtempSync(join(folder, 'run-'));
      const site = await createStores(generated, templates, runFolder);
      try {
        for (const figure of compareFiguresWithLists(site)) comparedFigures.add(figure);
      } finally {
        site.close();
        rmSync(runFolder, { recursive: true, force: true });
      }
    }),
    { numRuns },
  );
  for (const figure of [
    'S1.opening',
    'S1.closing',
    'S2.payments',
    'S2.open',
    'S2.gross',
    'S3.deposits',
    'S3.sent',
  ])
    expect(comparedFigures).toContain(figure);
});

/** Compares every figure with its list. Returns the figures whose lists have rows. */
function compareFiguresWithLists(site: WorkpaperSite): string[] {
  const { sections } = computeWorkpaper(site, PERIOD, { now: Date.UTC(2026, 10, 21), version: 'test' });
  return sections.flatMap(({ currency, schedules }) =>
    schedules
      .flatMap(({ lines }) => lines)
      .flatMap(({ id, list, opens, count, amount_in_cents }) => {
        const shown = list && showList(site, list);
        if (!shown) return [];
        const sign = SUBTRACTED_FIGURES.has(id) ? -1 : 1;
        const cents = sign * (OPEN_AMOUNT_FIGURES.has(id) ? shown.open : shown.cents) + 0;
        expect([id, currency, shown.ids.length, cents]).toEqual([id, currency, count ?? 0, amount_in_cents]);
        if (opens) {
          const { rows } = readFigureRows(site, { period: PERIOD, currency, figure: id, limit: 1000 });
          expect(shown.ids.toSorted((a, b) => a - b)).toEqual(
            rows.map((row) => row.id).toSorted((a, b) => a - b),
          );
        }
        return shown.ids.length > 0 ? [id] : [];
      }),
  );
}
