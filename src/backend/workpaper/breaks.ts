import { addCents, type Period } from '../../domain/ledger/index.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';
import { prepared, type ReadableDb } from '../store/database.ts';
import type { Break } from '../store/periods/workpaperItems.ts';
import { billingContributions } from './billing.ts';

const FIGURES = new Set(['S1.footing', 'S1.carried']);

export const isBreak = ({ figure }: Pick<Contribution, 'figure'>): boolean => FIGURES.has(figure);

/** Statements that do not foot or are not carried forward, each once: one that does neither is one item. */
export function together(all: Iterable<Contribution>): Break[] {
  const breaks = new Map<number, Break>();
  for (const { id, figure, day, cents } of all) {
    const known = breaks.get(id);
    breaks.set(
      id,
      known === undefined ? { id, figure, day, cents } : { ...known, cents: addCents(known.cents, cents) },
    );
  }
  return [...breaks.values()];
}

interface Kept {
  readonly stamp: string;
  readonly of: Map<string, Break[]>;
}

const kept = new WeakMap<ReadableDb, Kept>();

/** The same for a period, found by a pass over its statements; kept until the cache changes, so that a list is paged without another. */
export function breaksOf(cache: ReadableDb, currency: string, period: Period): Break[] {
  const stamp = stampOf(cache);
  let known = kept.get(cache);
  if (known === undefined || known.stamp !== stamp) {
    known = { stamp, of: new Map() };
    kept.set(cache, known);
  }
  const breaks = known.of.get(period.first) ?? together(breaksIn(cache, currency, period));
  known.of.set(period.first, breaks);
  return breaks;
}

function* breaksIn(cache: ReadableDb, currency: string, period: Period): Generator<Contribution> {
  for (const each of billingContributions(cache, currency, period)) if (isBreak(each)) yield each;
}

/** Another one after any change, by this connection or by others. */
function stampOf(cache: ReadableDb): string {
  const others = prepared<number>(cache, 'PRAGMA data_version').pluck().get();
  return `${others} ${prepared<number>(cache, 'SELECT total_changes()').pluck().get()}`;
}
