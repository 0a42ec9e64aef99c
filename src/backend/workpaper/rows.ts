import type { FigureRow, Inputs, Outputs } from '../../contract/index.ts';
import { monthOf } from '../../domain/ledger/index.ts';
import { type Contribution, isMatchFigure } from '../../domain/workpaper/index.ts';
import { decodeCursor, encodeCursor, type Order } from '../store/lists/keyset-pagination.ts';
import { figureParts } from '../store/workpaper/workpaper-money.ts';
import { rowText } from '../store/workpaper/workpaper-texts.ts';
import { billingContributions } from './billing.ts';
import type { FigureParts, Part } from './figure-parts.ts';
import { BEFORE, contributionsBefore, matchContributions } from './money.ts';
import type { WorkpaperSite } from './workpaper.ts';

const order: Order = {
  name: 'workpaper-rows',
  columns: [
    { name: 'day', type: 'text' },
    { name: 'kind', type: 'text' },
    { name: 'id', type: 'number' },
    { name: 'of', type: 'number' },
    // Distinguishes rows that are otherwise equal.
    { name: 'nth', type: 'number' },
  ],
  direction: 'asc',
};

type Asked = Omit<Inputs['workpapers']['rows'], 'site' | 'now'> & { limit: number };

/**
 * Yields the contributions to a figure from the current records, possibly with those of other figures from the same pass.
 */
export function contributionsTo(
  { cache, books, file }: WorkpaperSite,
  { period, figure, currency }: Pick<Asked, 'period' | 'figure' | 'currency'>,
): Iterable<Contribution> {
  const days = monthOf(`${period}-01`);
  if (isMatchFigure(figure)) return matchContributions(books, days);
  if (figure === BEFORE) return contributionsBefore(books, days);
  const isOfBilling = figure.startsWith('S1.') && figure !== 'S1.matched';
  return isOfBilling
    ? billingContributions(cache, file.currency, days)
    : figureParts(books, days, { figure, currency });
}

/** Returns a page of a figure's contributions in order of date. They add up to the figure to the cent. */
export function pageOfParts(
  site: Pick<WorkpaperSite, 'cache' | 'books'>,
  parts: FigureParts,
  { after, limit }: Pick<Asked, 'after' | 'limit'>,
): Outputs['workpapers']['rows'] {
  const first = after === undefined;
  const from = first ? 0 : placeBehind(parts, after);
  const to = Math.min(from + limit, parts.count);
  const rows: FigureRow[] = [];
  for (let place = from; place < to; place++) rows.push(shownRow(site, parts.at(place)));
  return {
    rows,
    next: to < parts.count && to > from ? cursorAt(parts, to - 1) : null,
    total: first ? { count: parts.count, exact: true } : null,
    sum: first ? { count: parts.count, amount_in_cents: parts.sum } : null,
  };
}

function cursorAt(parts: FigureParts, place: number): string {
  const part = parts.at(place);
  const { day, kind, id, of } = part;
  return encodeCursor(order, [day, kind, id, of, place - parts.placeOf(part)]);
}

function placeBehind(parts: FigureParts, after: string): number {
  const [day, kind, id, of, nth] = decodeCursor(order, after);
  const key = { day: String(day), kind: String(kind), id: Number(id), of: Number(of) };
  return Math.min(parts.placeOf(key) + Number(nth) + 1, parts.count);
}

function shownRow(
  site: Pick<WorkpaperSite, 'cache' | 'books'>,
  { day, kind, id, of, cents }: Part,
): FigureRow {
  const isTransaction = kind === 'transaction';
  return {
    kind,
    id,
    match: isTransaction || of === 0 ? null : of,
    statement: isTransaction ? of : null,
    dated_on: day === '' ? null : day,
    text: rowText(site, kind, id, of),
    amount_in_cents: cents,
  };
}
