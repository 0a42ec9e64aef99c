import type { FigureRow, Inputs, Outputs } from '../../contract/index.ts';
import { toMonthRange } from '../../domain/ledger/index.ts';
import { type Contribution, isMatchFigure } from '../../domain/workpaper/index.ts';
import { decodeCursor, encodeCursor, type Order } from '../store/lists/keyset-pagination.ts';
import { figureParts } from '../store/workpaper/workpaper-money.ts';
import { rowText } from '../store/workpaper/workpaper-texts.ts';
import { billingContributions } from './billing-contributions.ts';
import type { FigureContribution, FigureContributions } from './figure-contributions.ts';
import {
  BEFORE_RECONCILIATION_FIGURE,
  contributionsBeforeReconciliation,
  matchContributions,
} from './match-contributions.ts';
import type { WorkpaperSite } from './workpaper.ts';

const rowOrder: Order = {
  name: 'workpaper-rows',
  columns: [
    { name: 'day', type: 'text' },
    { name: 'kind', type: 'text' },
    { name: 'id', type: 'number' },
    { name: 'of', type: 'number' },
    // Distinguishes rows whose other sort values are equal.
    { name: 'nth', type: 'number' },
  ],
  direction: 'asc',
};

type FigureRowsInput = Omit<Inputs['workpapers']['rows'], 'site' | 'now'> & { limit: number };

/**
 * Yields the contributions to a figure from the current records. May also yield contributions to other figures, because
 * one pass computes several.
 */
export function currentContributionsTo(
  { cache, books, file }: WorkpaperSite,
  { period, figure, currency }: Pick<FigureRowsInput, 'period' | 'figure' | 'currency'>,
): Iterable<Contribution> {
  const days = toMonthRange(`${period}-01`);
  if (isMatchFigure(figure)) return matchContributions(books, days);
  if (figure === BEFORE_RECONCILIATION_FIGURE) return contributionsBeforeReconciliation(books, days);
  const isOfBilling = figure.startsWith('S1.') && figure !== 'S1.matched';
  return isOfBilling
    ? billingContributions(cache, file.currency, days)
    : figureParts(books, days, { figure, currency });
}

/** Returns a page of the contributions to a figure, sorted by date. They add up to the figure exactly. */
export function listFigureRows(
  site: Pick<WorkpaperSite, 'cache' | 'books'>,
  contributions: FigureContributions,
  { after, limit }: Pick<FigureRowsInput, 'after' | 'limit'>,
): Outputs['workpapers']['rows'] {
  const first = after === undefined;
  const from = first ? 0 : indexAfterCursor(contributions, after);
  const to = Math.min(from + limit, contributions.count);
  const rows: FigureRow[] = [];
  for (let index = from; index < to; index++) rows.push(toFigureRow(site, contributions.get(index)));
  return {
    rows,
    next: to < contributions.count && to > from ? encodeCursorAt(contributions, to - 1) : null,
    total: first ? { count: contributions.count, exact: true } : null,
    sum: first ? { count: contributions.count, amount_in_cents: contributions.sum } : null,
  };
}

function encodeCursorAt(contributions: FigureContributions, index: number): string {
  const part = contributions.get(index);
  const { day, kind, id, parentId } = part;
  return encodeCursor(rowOrder, [day, kind, id, parentId, index - contributions.indexOfKey(part)]);
}

function indexAfterCursor(contributions: FigureContributions, after: string): number {
  const [day, kind, id, of, nth] = decodeCursor(rowOrder, after);
  const key = { day: String(day), kind: String(kind), id: Number(id), parentId: Number(of) };
  return Math.min(contributions.indexOfKey(key) + Number(nth) + 1, contributions.count);
}

function toFigureRow(
  site: Pick<WorkpaperSite, 'cache' | 'books'>,
  { day, kind, id, parentId, cents }: FigureContribution,
): FigureRow {
  const isTransaction = kind === 'transaction';
  return {
    kind,
    id,
    match: isTransaction || parentId === 0 ? null : parentId,
    statement: isTransaction ? parentId : null,
    dated_on: day === '' ? null : day,
    text: rowText(site, kind, id, parentId),
    amount_in_cents: cents,
  };
}
