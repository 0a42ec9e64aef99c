import { addCents, type DateRange } from '../../domain/ledger/index.ts';
import { runToCompletion, type WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { Break } from '../store/workpaper/workpaper-items.ts';
import { billingContributions } from './billing-contributions.ts';
import { createDatabaseCache } from './database-cache.ts';

/** Totals of a period's billing. */
export interface BillingSums {
  /** Total and number of contributions per figure. */
  readonly figures: ReadonlyMap<string, { cents: number; count: number }>;
  /**
   * Statements that do not foot, or whose opening balance differs from the previous closing balance. Each is listed once.
   */
  readonly breaks: readonly Break[];
}

const BREAK_FIGURES = new Set(['S1.footing', 'S1.carried']);

const cachedSums = createDatabaseCache<BillingSums>();

/**
 * Computes the totals in one pass over the period's statements. The result is cached until the cache database changes.
 */
export function computeBillingSums(cache: ReadableDb, currency: string, period: DateRange): BillingSums {
  return cachedSums([cache], `${period.first} ${currency}`, () =>
    runToCompletion(computeBillingSumsInSteps(cache, currency, period)),
  );
}

/** Computes the billing totals in steps, so that other work can run between them. */
export function* computeBillingSumsInSteps(
  cache: ReadableDb,
  currency: string,
  period: DateRange,
): WorkSteps<BillingSums> {
  const figures = new Map<string, { cents: number; count: number }>();
  const breaks = new Map<number, Break>();
  for (const { figure, id, day, cents } of billingContributions(cache, currency, period)) {
    yield;
    const sum = figures.get(figure);
    if (sum === undefined) figures.set(figure, { cents, count: 1 });
    else {
      sum.cents = addCents(sum.cents, cents);
      sum.count++;
    }
    if (!BREAK_FIGURES.has(figure)) continue;
    const known = breaks.get(id);
    breaks.set(
      id,
      known === undefined ? { id, figure, day, cents } : { ...known, cents: addCents(known.cents, cents) },
    );
  }
  return { figures, breaks: [...breaks.values()] };
}
