import { addCents, type Period } from '../../domain/ledger/index.ts';
import { atOnce, type Steps } from '../steps.ts';
import type { ReadableDb } from '../store/database.ts';
import type { Break } from '../store/periods/workpaper-items.ts';
import { billingContributions } from './billing.ts';
import { keeper } from './kept.ts';

/** What the billing of a period comes to. */
export interface BillingSums {
  /** By figure. */
  readonly figures: ReadonlyMap<string, { cents: number; count: number }>;
  /** Statements that do not foot or are not carried forward, each once: one that does neither is one item. */
  readonly breaks: readonly Break[];
}

const BREAKS = new Set(['S1.footing', 'S1.carried']);

const kept = keeper<BillingSums>();

/** One pass over the statements of the period; kept until the cache changes. */
export function billingSums(cache: ReadableDb, currency: string, period: Period): BillingSums {
  return kept([cache], `${period.first} ${currency}`, () => atOnce(billingSteps(cache, currency, period)));
}

/** The pass itself. */
export function* billingSteps(cache: ReadableDb, currency: string, period: Period): Steps<BillingSums> {
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
