import { addCents, type DateRange } from '../../domain/ledger/index.ts';
import { runToCompletion, type WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { Break } from '../store/workpaper/workpaper-items.ts';
import { billingContributions } from './billing.ts';
import { keeper } from './kept.ts';

/** Totals of a period's billing. */
export interface BillingSums {
  /** Totals by figure. */
  readonly figures: ReadonlyMap<string, { cents: number; count: number }>;
  /** Statements that do not foot or whose balance is not carried forward, each once. */
  readonly breaks: readonly Break[];
}

const BREAKS = new Set(['S1.footing', 'S1.carried']);

const kept = keeper<BillingSums>();

/** Computes the totals in one pass over the statements of the period, cached until the cache database changes. */
export function billingSums(cache: ReadableDb, currency: string, period: DateRange): BillingSums {
  return kept([cache], `${period.first} ${currency}`, () =>
    runToCompletion(billingSteps(cache, currency, period)),
  );
}

/** Computes the totals in steps. */
export function* billingSteps(
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
    if (!BREAKS.has(figure)) continue;
    const known = breaks.get(id);
    breaks.set(
      id,
      known === undefined ? { id, figure, day, cents } : { ...known, cents: addCents(known.cents, cents) },
    );
  }
  return { figures, breaks: [...breaks.values()] };
}
