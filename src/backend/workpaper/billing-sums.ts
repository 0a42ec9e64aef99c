import { addCents, type DateRange } from '../../domain/ledger/index.ts';
import { runAllSteps, type WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { StatementTotalBreak } from '../store/workpaper/workpaper-items.ts';
import { readBillingContributions } from './billing-contributions.ts';
import { createDatabaseValueCache } from './database-value-cache.ts';

/** Totals of a period's billing. */
export interface BillingSums {
  /** Total and number of contributions per figure. */
  readonly figures: ReadonlyMap<string, { cents: number; count: number }>;
  /** Statements that do not foot, or with an opening balance that differs from the previous closing balance. */
  readonly breaks: readonly StatementTotalBreak[];
}

const BREAK_FIGURES = new Set(['S1.footing', 'S1.carried']);

const cachedSums = createDatabaseValueCache<BillingSums>();

/** Computes the totals in one pass over the period's statements. Caches them until the database changes. */
export function computeBillingSums(cache: ReadableDb, currency: string, period: DateRange): BillingSums {
  return cachedSums([cache], `${period.first} ${currency}`, () =>
    runAllSteps(computeBillingSumsInSteps(cache, currency, period)),
  );
}

/** Computes the billing totals in steps, so that other work can run between them. */
export function* computeBillingSumsInSteps(
  cache: ReadableDb,
  currency: string,
  period: DateRange,
): WorkSteps<BillingSums> {
  const figures = new Map<string, { cents: number; count: number }>();
  const breaks = new Map<number, StatementTotalBreak>();
  for (const contribution of readBillingContributions(cache, currency, period)) {
    yield;
    if (contribution === null) continue;
    const { figure, id, day, cents } = contribution;
    const sum = figures.get(figure) ?? { cents: 0, count: 0 };
    figures.set(figure, sum);
    sum.cents = addCents(sum.cents, cents);
    sum.count++;
    if (!BREAK_FIGURES.has(figure)) continue;
    const known = breaks.get(id) ?? { id, figure, day, cents: 0 };
    breaks.set(id, { ...known, cents: addCents(known.cents, cents) });
  }
  return { figures, breaks: [...breaks.values()] };
}
