import type { FigureOf } from '../../../contract/index.ts';
import { toMonthRange } from '../../../domain/ledger/index.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import { figureParts } from './workpaper-money.ts';

/**
 * Returns the ids of the lines, payments or payouts that make up a figure. Empty if the figure consists of other rows.
 */
export function figureIds(
  books: ReadableDb,
  { period, currency, figure }: FigureOf,
  kind: 'line' | 'payment' | 'payout',
): number[] {
  const parts = [...figureParts(books, toMonthRange(`${period}-01`), { figure, currency })];
  return parts.filter((part) => part.kind === kind).map(({ id }) => id);
}
