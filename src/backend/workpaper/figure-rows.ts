import type { ContractInputs, ContractOutputs, FigureRow } from '../../contract/index.ts';
import { toMonthRange } from '../../domain/ledger/index.ts';
import type { RowContribution } from '../../domain/workpaper/index.ts';
import { decodeCursor, encodeCursor, type ListOrder } from '../store/lists/keyset-pagination.ts';
import { describeFigureRow } from '../store/workpaper/describe-figure-row.ts';
import { contributionSources } from './contribution-sources.ts';
import type { FigureContribution, FigureContributions } from './figure-contributions.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

const rowOrder: ListOrder = {
  name: 'workpaper-rows',
  columns: [
    { name: 'day', type: 'text' },
    { name: 'kind', type: 'text' },
    { name: 'id', type: 'number' },
    { name: 'of', type: 'number' },
    // Position that distinguishes rows with equal other sort values.
    { name: 'nth', type: 'number' },
  ],
  direction: 'asc',
};

/** Yields all contributions to figures that open to their rows, in no particular order. */
export function* readAllContributions(
  site: WorkpaperSite,
  period: string,
): Generator<RowContribution | null, void, undefined> {
  for (const source of contributionSources) yield* source.read(site, toMonthRange(`${period}-01`));
}

type FigureRowsInput = Omit<ContractInputs['workpapers']['rows'], 'site' | 'now'> & { limit: number };

/** Returns the number of the source that computes the rows of a figure, or -1. */
export const findContributionSource = (figure: string): number =>
  contributionSources.findIndex(({ covers }) => covers(figure));

/** Yields the current contributions to figures of one source, and those to other figures that are computed in the same pass. */
export function readContributionsToFigures(
  site: WorkpaperSite,
  period: string,
  figures: readonly Pick<RowContribution, 'figure' | 'currency'>[],
): Iterable<RowContribution | null> {
  const [first] = figures;
  const source = first && contributionSources[findContributionSource(first.figure)];
  return source?.read(site, toMonthRange(`${period}-01`), figures.length === 1 ? first : undefined) ?? [];
}

/** Returns a page of the contributions to a figure, sorted by date. They add up to the figure exactly. */
export function listFigureRows(
  site: Pick<WorkpaperSite, 'cache' | 'books'>,
  contributions: FigureContributions,
  { after, limit }: Pick<FigureRowsInput, 'after' | 'limit'>,
): ContractOutputs['workpapers']['rows'] {
  const isFirst = after === undefined;
  const from = isFirst ? 0 : indexAfterCursor(contributions, after);
  const to = Math.min(from + limit, contributions.count);
  const rows: FigureRow[] = [];
  for (let index = from; index < to; index++) rows.push(toFigureRow(site, contributions.get(index)));
  return {
    rows,
    next: to < contributions.count && to > from ? encodeCursorAt(contributions, to - 1) : null,
    total: isFirst ? { count: contributions.count, exact: true } : null,
    sum: isFirst ? { count: contributions.count, amount_in_cents: contributions.sum } : null,
  };
}

function encodeCursorAt(contributions: FigureContributions, index: number): string {
  const contribution = contributions.get(index);
  const { day, kind, id, parentId } = contribution;
  return encodeCursor(rowOrder, [day, kind, id, parentId, index - contributions.indexOfKey(contribution)]);
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
    text: describeFigureRow(site, kind, id, parentId),
    amount_in_cents: cents,
  };
}
