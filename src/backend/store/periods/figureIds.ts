import type { FigureOf } from '../../../contract/index.ts';
import { monthOf } from '../../../domain/ledger/index.ts';
import type { ReadableDb } from '../database.ts';
import { figureRows } from './workpaperMoney.ts';

/** The lines, payments or payouts that come to a figure; none for a figure that is made of something else. */
export function figureIds(
  books: ReadableDb,
  { period, currency, figure }: FigureOf,
  kind: 'line' | 'payment' | 'payout',
): number[] {
  const start = { day: '', kind: '', id: -1 };
  return figureRows(books, monthOf(`${period}-01`), { figure, currency }, start, -1)
    .filter((row) => row.kind === kind)
    .map(({ id }) => id);
}
