import type { FigureReference } from '../../../contract/index.ts';
import { toMonthRange } from '../../../domain/ledger/index.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import { readFigureParts } from './workpaper-money.ts';

/** Returns the ids of the lines, payments or payouts behind a workpaper figure. */
export function listFigureRowIds(
  books: ReadableDb,
  { period, currency, figure }: FigureReference,
  kind: 'line' | 'payment' | 'payout',
): number[] {
  const parts = [...readFigureParts(books, toMonthRange(`${period}-01`), { figure, currency })];
  return parts.filter((part) => part.kind === kind).map(({ id }) => id);
}
