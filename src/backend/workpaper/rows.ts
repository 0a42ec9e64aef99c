import type { FigureRow, Inputs, Outputs } from '../../contract/index.ts';
import { monthOf, type Period } from '../../domain/ledger/index.ts';
import { type Contribution, isOfMatches } from '../../domain/workpaper/index.ts';
import { decodeCursor, encodeCursor, type Order } from '../store/keyset.ts';
import { figureRows, figureSums, type StoredFigureRow } from '../store/periods/workpaperMoney.ts';
import { rowText } from '../store/periods/workpaperTexts.ts';
import { billingContributions } from './billing.ts';
import { matchContributions } from './money.ts';
import type { WorkpaperSite } from './workpaper.ts';

const order: Order = {
  name: 'workpaper-rows',
  columns: [
    { name: 'day', type: 'text' },
    { name: 'kind', type: 'text' },
    { name: 'id', type: 'number' },
    { name: 'match', type: 'number' },
  ],
  direction: 'asc',
};

type Asked = Omit<Inputs['workpapers']['rows'], 'site'> & { limit: number };

/** The parts of a figure in the order of their days; they come to it to the cent. `signed`: those it was signed with, instead of how they are now. */
export function listRows(
  site: WorkpaperSite,
  asked: Asked,
  signed: Iterable<Contribution> | null = null,
): Outputs['workpapers']['rows'] {
  const days = monthOf(`${asked.period}-01`);
  const after = asked.after === undefined ? { day: '', kind: '', id: -1, match: -1 } : placeOf(asked.after);
  const { stored, sum } =
    signed === null && isRead(asked.figure)
      ? readRows(site, days, asked, after)
      : gatheredRows(signed ?? passOver(site, days, asked), asked, after);
  const rows = stored.slice(0, asked.limit);
  const last = rows.at(-1);
  const first = asked.after === undefined;
  return {
    rows: rows.map((row) => shownRow(site, row)),
    next:
      stored.length > asked.limit && last
        ? encodeCursor(order, [last.day ?? '', last.kind, last.id, last.match ?? 0])
        : null,
    total: first ? { count: sum.count, exact: true } : null,
    sum: first ? sum : null,
  };
}

interface Place {
  day: string;
  kind: string;
  id: number;
  /** 0 where it is there by no match. */
  match: number;
}

/** Figures that are read from a table by SQL. */
const isRead = (figure: string): boolean =>
  figure === 'S1.matched' || (!figure.startsWith('S1.') && !isOfMatches(figure));

function readRows({ books }: WorkpaperSite, days: Period, { figure, currency, limit }: Asked, after: Place) {
  const sum = { count: 0, amount_in_cents: 0 };
  for (const each of figureSums(books, days)) {
    if (each.figure !== figure || each.currency !== currency) continue;
    sum.count += each.count;
    sum.amount_in_cents += each.cents;
  }
  return { stored: figureRows(books, days, { figure, currency }, after, limit + 1), sum };
}

/** Figures that a pass over matches or statements makes. */
const passOver = ({ cache, books, file }: WorkpaperSite, days: Period, { figure }: Asked) =>
  figure.startsWith('S1.')
    ? billingContributions(cache, file.currency, days)
    : matchContributions(books, days);

/** Of all parts only the page that was asked for is kept. */
function gatheredRows(all: Iterable<Contribution>, { figure, currency, limit }: Asked, after: Place) {
  const sum = { count: 0, amount_in_cents: 0 };
  let stored: StoredFigureRow[] = [];
  for (const each of all) {
    if (each.figure !== figure || each.currency !== currency) continue;
    sum.count += each.count ?? 1;
    sum.amount_in_cents += each.cents;
    const row = rowOf(each);
    if (compare(row, after) <= 0) continue;
    stored.push(row);
    if (stored.length > 4 * (limit + 1)) stored = stored.sort(compare).slice(0, limit + 1);
  }
  return { stored: stored.sort(compare).slice(0, limit + 1), sum };
}

const rowOf = ({ kind, id, match, day, cents }: Contribution): StoredFigureRow => ({
  kind,
  id,
  match: match ?? null,
  day,
  cents,
});

function compare(a: Comparable, b: Comparable): number {
  const [x, y] = [a.day ?? '', b.day ?? ''];
  if (x !== y) return x < y ? -1 : 1;
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.id - b.id || (a.match ?? 0) - (b.match ?? 0);
}

type Comparable = Pick<StoredFigureRow, 'day' | 'id' | 'match'> & { readonly kind: string };

function placeOf(after: string): Place {
  const [day, kind, id, match] = decodeCursor(order, after);
  return { day: String(day), kind: String(kind), id: Number(id), match: Number(match) };
}

function shownRow(site: WorkpaperSite, { kind, id, match, day, cents }: StoredFigureRow): FigureRow {
  return { kind, id, match, dated_on: day, text: rowText(site, kind, id), amount_in_cents: cents };
}
