import type { ClosedFigures, ContractInputs, Workpaper } from '../../contract/index.ts';
import type { RowContribution } from '../../domain/workpaper/index.ts';
import { readClosedChunkLines } from '../changes-since-sign-off/closed-row-chunks.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { StoredClosedFigures } from '../store/periods/closed-figures.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import { FigureContributions } from '../workpaper/figure-contributions.ts';
import { readContributionsToFigures } from '../workpaper/figure-rows.ts';
import type { WorkpaperSite } from '../workpaper/workpaper-site.ts';
import { ClosedRowChunkWriter } from './closed-row-chunk-writer.ts';
import { type ClosedFiguresWrite, readClosedListNames } from './signed-off-lists.ts';
import { findClosedFiguresInForce } from './signed-off-period.ts';
import { createSnapshotCache, type OpenSiteDatabases } from './site-snapshot-cache.ts';

/** Name of the stored list that contains the contributions to all figures. */
export const CONTRIBUTIONS_LIST_NAME = 'parts';
/** Number of contributions per stored chunk. */
const CONTRIBUTIONS_PER_CHUNK = 1024;

type Figure = Pick<RowContribution, 'figure' | 'currency'>;
/** A contribution as stored, without the fields that its figure implies. */
type StoredContribution = [
  kind: RowContribution['kind'],
  id: number,
  day: string | null,
  cents: number,
  statement: number | null,
  match: number | null,
];

const toChunkKind = ({ figure, currency }: Figure): string =>
  `${CONTRIBUTIONS_LIST_NAME} ${figure} ${currency}`;

/** Stores the contributions to all figures of a period that is being closed. Returns their row count and digest. */
export async function storeSignedOffContributions(
  { books, closedFigures, signal }: ClosedFiguresWrite,
  contributions: Iterable<RowContribution | null>,
): Promise<ClosedFigures['lists'][number]> {
  const writer = new ClosedRowChunkWriter(books, closedFigures);
  /** Contributions that are not stored yet, by chunk kind. */
  const pending = new Map<string, { first_row: number; rows: string[] }>();
  const write = async (kind: string, { first_row, rows }: { first_row: number; rows: string[] }) => {
    runInTransaction(books, () => writer.add(kind, first_row, rows));
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  for (const each of contributions) {
    if (each === null) {
      await yieldToEventLoop();
      continue;
    }
    const kind = toChunkKind(each);
    const chunk = pending.get(kind) ?? { first_row: 0, rows: [] };
    pending.set(kind, chunk);
    const { kind: row, id, day, cents, statement = null, match = null } = each;
    chunk.rows.push(JSON.stringify([row, id, day, cents, statement, match] satisfies StoredContribution));
    if (chunk.rows.length < CONTRIBUTIONS_PER_CHUNK) continue;
    await write(kind, chunk);
    pending.set(kind, { first_row: chunk.first_row + chunk.rows.length, rows: [] });
  }
  for (const [kind, chunk] of pending) if (chunk.rows.length > 0) await write(kind, chunk);
  return { list: CONTRIBUTIONS_LIST_NAME, ...writer.finish() };
}

function* signedContributions(
  books: ReadableDb,
  closedFigures: number,
  figure: Figure,
): Generator<RowContribution> {
  for (const line of readClosedChunkLines(books, closedFigures, toChunkKind(figure))) {
    if (line === null) continue;
    const [kind, id, day, cents, statement, match] = JSON.parse(line) as StoredContribution;
    yield {
      ...figure,
      part: '',
      ...{ kind, id, day, cents },
      ...(kind === 'transaction' && statement !== null && { statement }),
      ...(match !== null && { match }),
    };
  }
}

/** Returns the closed figures that contain the contributions of a period, or null if it is not closed. */
function findSignedContributions(books: ReadableDb, period: string): StoredClosedFigures | null {
  const closedFigures = findClosedFiguresInForce(books, period);
  return closedFigures !== null && readClosedListNames(closedFigures).has(CONTRIBUTIONS_LIST_NAME)
    ? closedFigures
    : null;
}

/**
 * Yields the contributions to figures of one source, in no particular order: as signed if the period is closed, or else
 * current. Contributions to other figures may be among them.
 */
export function* readFigureContributions(
  site: WorkpaperSite,
  period: string,
  figures: readonly Figure[],
): Generator<RowContribution | null, void, undefined> {
  const signed = findSignedContributions(site.books, period);
  if (signed === null) yield* readContributionsToFigures(site, period, figures);
  else for (const figure of figures) yield* signedContributions(site.books, signed.id, figure);
}

/** Yields the contributions to all figures of a closed period, figure by figure in the order of the workpaper. */
export function* readClosedContributions(
  books: ReadableDb,
  { id }: Pick<StoredClosedFigures, 'id'>,
  { sections }: Pick<Workpaper, 'sections'>,
): Generator<RowContribution> {
  for (const { currency, schedules } of sections)
    for (const { id: figure } of schedules.flatMap(({ lines }) => lines))
      yield* signedContributions(books, id, { figure, currency });
}

/** Maximum number of cached figures per site. Only figures that someone pages through are needed. */
const MAX_CACHED_FIGURES = 4;
const cachedFigures = createSnapshotCache<FigureContributions>(MAX_CACHED_FIGURES);

/** Returns the contributions to a figure, as signed or current. The result is cached until the site changes. */
export function readSignedOffContributions(
  site: OpenSiteDatabases,
  { period, figure, currency, now }: Omit<ContractInputs['workpapers']['rows'], 'site'>,
): Promise<FigureContributions> {
  const signed = now ? null : findSignedContributions(site.books, period);
  const name = [period, figure, currency, signed?.version ?? 'now'].join(' ');
  return cachedFigures(site, name, (snapshot) =>
    FigureContributions.of(
      signed === null
        ? readContributionsToFigures(snapshot, period, [{ figure, currency }])
        : signedContributions(snapshot.books, signed.id, { figure, currency }),
      { figure, currency },
    ),
  );
}
