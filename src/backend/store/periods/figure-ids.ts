import type { FigureOf } from '../../../contract/index.ts';
import { monthOf } from '../../../domain/ledger/index.ts';
import type { ReadableDb } from '../database.ts';
import { figureParts } from './workpaper-money.ts';

/** The lines, payments or payouts that come to a figure; none for a figure that is made of something else. */
export function figureIds(
  books: ReadableDb,
  { period, currency, figure }: FigureOf,
  kind: 'line' | 'payment' | 'payout',
): number[] {
  const parts = [...figureParts(books, monthOf(`${period}-01`), { figure, currency })];
  return parts.filter((part) => part.kind === kind).map(({ id }) => id);
}
