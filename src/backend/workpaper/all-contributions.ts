import { toMonthRange } from '../../domain/ledger/index.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';
import { figureParts } from '../store/workpaper/workpaper-money.ts';
import { billingContributions } from './billing-contributions.ts';
import { contributionsBeforeReconciliation, matchContributions } from './match-contributions.ts';
import type { WorkpaperSite } from './workpaper.ts';

/** Yields all contributions to figures that can be opened to their rows, in no particular order. */
export function* allContributions(
  { cache, books, file }: WorkpaperSite,
  period: string,
): Generator<Contribution, void, undefined> {
  const days = toMonthRange(`${period}-01`);
  yield* billingContributions(cache, file.currency, days);
  yield* figureParts(books, days);
  yield* matchContributions(books, days);
  yield* contributionsBeforeReconciliation(books, days);
}
