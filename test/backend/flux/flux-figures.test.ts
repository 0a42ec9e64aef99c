import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeFluxLines } from '../../../src/backend/flux/period-flux.ts';
import { toFluxMonths } from '../../../src/backend/periods/compared-figures.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { SiteSnapshot } from '../../../src/backend/workpaper/site-snapshot.ts';
import { computeWorkpaper } from '../../../src/backend/workpaper/workpaper.ts';
import type { FluxLine } from '../../../src/contract/index.ts';
import { runAllSteps } from '../../../src/domain/work-steps/work-steps.ts';
import { createStores, dateAt, type RandomSite, randomSite } from '../workpaper/random-site.ts';

let folder: string;
let templates: { books: string; cache: string };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flux-'));
  templates = { books: join(folder, 'books-template.db'), cache: join(folder, 'cache-template.db') };
  for (const kind of ['books', 'cache'] as const) closeStore(openStore(templates[kind], kind));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [PREVIOUS, CURRENT] = ['2026-09', '2026-10'];
const stamp = { now: 0, version: 'test' };

interface Charge {
  readonly month: string;
  readonly subscription: number;
  readonly kind: string | null;
  readonly day: string;
  readonly cents: number;
}

/** Charges of the generated statements that are closed. A failed charge has no effect. */
const listCharges = ({ statements }: RandomSite): Charge[] =>
  statements
    .filter(({ open }) => !open)
    .flatMap(({ subscription, opened, length, transactions }) =>
      transactions
        .filter(({ type }) => type === 'charge')
        .map(({ kind, days, amount, success }) => ({
          ...{ subscription, kind, month: dateAt(opened + length).slice(0, 7) },
          ...{ day: dateAt(opened + days), cents: success ? amount : 0 },
        })),
    );

/** Returns true if a subscription has a statement, or a paid service, after the previous month and known by the current one. */
function isServed({ statements }: RandomSite, subscription: number): boolean {
  const known = statements.filter(
    (each) => each.subscription === subscription && dateAt(each.opened) < '2026-11-01',
  );
  return known.some(
    ({ open, opened, length, transactions }) =>
      open ||
      dateAt(opened + length) >= '2026-10-01' ||
      transactions.some(
        ({ type, kind, success, service }) =>
          type === 'charge' &&
          kind !== 'tax' &&
          success &&
          service !== null &&
          dateAt(opened + service.from + service.days) > '2026-10-01',
      ),
  );
}

/** Splits the charges of one subscription without the code under test. */
function splitCharges(charges: readonly Charge[], site: RandomSite, subscription: number) {
  const statements = site.statements.filter((each) => each.subscription === subscription);
  const closings = statements.filter(({ open }) => !open).map((each) => dateAt(each.opened + each.length));
  const of = (month: string, kind: string | null) =>
    charges
      .filter((each) => each.month === month && each.kind === kind)
      .toSorted((a, b) => (a.day === b.day ? b.cents - a.cents : a.day < b.day ? 1 : -1))
      .map(({ cents }) => cents);
  const sum = (cents: readonly number[]) => cents.reduce((all, each) => all + each, 0);
  const total = (month: string) =>
    sum(charges.filter((each) => each.month === month).map(({ cents }) => cents));
  const difference = total(CURRENT) - total(PREVIOUS);
  const none = { new: 0, lost: 0, price: 0, timing: 0, other: 0 };
  if (closings.every((day) => day >= '2026-10-01')) return { ...none, new: difference };
  if (!isServed(site, subscription)) return { ...none, lost: difference };
  const isBilled = (month: string) => closings.some((day) => day.startsWith(month));
  if (isBilled(PREVIOUS) !== isBilled(CURRENT)) return { ...none, timing: difference };
  const [before, after] = [of(PREVIOUS, 'baseline'), of(CURRENT, 'baseline')];
  const pairs = Math.min(before.length, after.length);
  const price = sum(after.slice(0, pairs)) - sum(before.slice(0, pairs));
  const timing = sum(after.slice(pairs)) - sum(before.slice(pairs));
  return { ...none, price, timing, other: difference - price - timing };
}

it('every flux adds up, and the charges equal an independent recomputation', async () => {
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(randomSite, async (generated) => {
      const path = join(folder, String(nth++));
      mkdirSync(path);
      // Component charges are compared in pairs with unknown quantities, which is tested with the domain.
      const statements = generated.statements.map((statement) => ({
        ...statement,
        transactions: statement.transactions.filter(({ kind }) => kind !== 'quantity_based_component'),
      }));
      const site = await createStores({ ...generated, statements }, templates, path);
      try {
        const workpapers = {
          previous: computeWorkpaper(site, PREVIOUS, stamp),
          current: computeWorkpaper(site, CURRENT, stamp),
        };
        const snapshot = { ...site, folder: path, close: () => {} } as unknown as SiteSnapshot;
        const lines = runAllSteps(computeFluxLines(snapshot, toFluxMonths(CURRENT), workpapers));
        for (const line of lines) checkLine(line, workpapers);
        const charges = lines.find(({ figure, currency }) => figure === 'S1.charges' && currency === 'USD');
        if (charges?.parts == null) return;
        const expected = { new: 0, lost: 0, price: 0, timing: 0, other: 0 };
        const all = listCharges({ ...generated, statements });
        for (const subscription of new Set(all.map((each) => each.subscription))) {
          const own = all.filter((each) => each.subscription === subscription);
          const relevant = own.filter(({ month }) => month === PREVIOUS || month === CURRENT);
          if (relevant.length === 0) continue;
          const parts = splitCharges(own, { ...generated, statements }, subscription);
          for (const part of Object.keys(expected) as (keyof typeof expected)[])
            expected[part] += parts[part];
        }
        expect(charges.parts).toMatchObject({
          ...expected,
          quantity: 0,
          proration: 0,
          refunds: 0,
          failed: 0,
        });
      } finally {
        site.close();
        rmSync(path, { recursive: true, force: true });
      }
    }),
    { numRuns: 60 },
  );
}, 240_000);

type Workpapers = Parameters<typeof computeFluxLines>[2];

/** Checks that a line has the amounts of both workpapers, and that its parts add up to the difference. */
function checkLine(line: FluxLine, { previous, current }: Workpapers): void {
  const amountIn = (workpaper: Workpapers['current']) =>
    workpaper.sections
      .filter(({ currency }) => currency === line.currency)
      .flatMap(({ schedules }) => schedules.flatMap(({ lines }) => lines))
      .find(({ id }) => id === line.figure)?.amount_in_cents ?? 0;
  expect(line.current_in_cents).toBe(amountIn(current));
  if (line.previous_in_cents === null) {
    expect([line.difference_in_cents, line.parts]).toEqual([null, null]);
    return;
  }
  expect(line.previous_in_cents).toBe(amountIn(previous));
  expect(line.difference_in_cents).toBe(amountIn(current) - amountIn(previous));
  const sum = Object.values(line.parts!).reduce((all, cents) => all + cents, 0);
  expect([line.figure, sum]).toEqual([line.figure, line.difference_in_cents]);
}
