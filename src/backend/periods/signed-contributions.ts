import { createHash, hash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { ClosedFigures, Inputs } from '../../contract/index.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';
import { readChunkLines } from '../changes-since-sign-off/closed-chunks.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { addChunk } from '../store/periods/closed-figures.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/sqlite/connection.ts';
import { FigureContributions } from '../workpaper/figure-contributions.ts';
import { currentContributionsTo } from '../workpaper/figure-rows.ts';
import { readStoredListNames } from './signed-lists.ts';
import { findClosedFiguresInForce } from './signed-period.ts';
import { createSnapshotCache, type OpenSiteHandles } from './snapshot-cache.ts';

/** Name under which the contributions to all figures are stored with the closed figures. */
export const CONTRIBUTIONS_LIST = 'parts';
/** Number of contributions per stored chunk. */
const CONTRIBUTIONS_PER_CHUNK = 1024;

type Figure = Pick<Contribution, 'figure' | 'currency'>;
/** A contribution as stored, without the fields that its figure implies. */
type StoredContribution = [
  kind: Contribution['kind'],
  id: number,
  day: string | null,
  cents: number,
  statement: number | null,
  match: number | null,
];

const toChunkKind = ({ figure, currency }: Figure): string => `${CONTRIBUTIONS_LIST} ${figure} ${currency}`;

/** Stores the contributions to all figures of a period that is being closed. Returns their row count and digest. */
export async function storeSignedContributions(
  books: WritableDb,
  closedFigures: number,
  contributions: Iterable<Contribution>,
  signal: AbortSignal,
): Promise<ClosedFigures['lists'][number]> {
  const all = createHash('sha256');
  const byKind = new Map<string, { first_row: number; lines: string[] }>();
  const write = async (kind: string, { first_row, lines }: { first_row: number; lines: string[] }) => {
    const text = lines.join('');
    all.update(text);
    const chunk = { first_row, count: lines.length, sha256: hash('sha256', text, 'hex') };
    commit(books, () => addChunk(books, closedFigures, kind, chunk, deflateRawSync(text)));
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  let count = 0;
  for (const each of contributions) {
    const kind = toChunkKind(each);
    const of = byKind.get(kind) ?? { first_row: 0, lines: [] };
    byKind.set(kind, of);
    const part: StoredContribution = [
      each.kind,
      each.id,
      each.day,
      each.cents,
      each.statement ?? null,
      each.match ?? null,
    ];
    of.lines.push(`${JSON.stringify(part)}\n`);
    count++;
    if (of.lines.length < CONTRIBUTIONS_PER_CHUNK) continue;
    await write(kind, of);
    byKind.set(kind, { first_row: of.first_row + of.lines.length, lines: [] });
  }
  for (const [kind, of] of byKind) if (of.lines.length > 0) await write(kind, of);
  return { list: CONTRIBUTIONS_LIST, count, sha256: all.digest('hex') };
}

function* signedContributions(
  books: ReadableDb,
  closedFigures: number,
  figure: Figure,
): Generator<Contribution> {
  for (const line of readChunkLines(books, closedFigures, toChunkKind(figure))) {
    if (line === null) continue;
    const [kind, id, day, cents, statement, match] = JSON.parse(line) as StoredContribution;
    yield {
      ...figure,
      part: '',
      ...{ kind, id, day, cents },
      ...(kind === 'transaction' && statement !== null ? { statement } : {}),
      ...(match === null ? {} : { match }),
    };
  }
}

/** Maximum number of cached figures per site. Only the figures being paged through are needed. */
const MAX_CACHED_FIGURES = 4;
const cachedFigures = createSnapshotCache<FigureContributions>(MAX_CACHED_FIGURES);

/**
 * Returns the contributions to a figure: as signed if the period is closed, or else from the current records. They are
 * computed once in time slices and cached until the site changes, so that further pages are fast.
 */
export function readContributions(
  site: OpenSiteHandles,
  { period, figure, currency, now }: Omit<Inputs['workpapers']['rows'], 'site'>,
): Promise<FigureContributions> {
  const closedFigures = now ? null : findClosedFiguresInForce(site.books, period);
  const signed =
    closedFigures !== null && readStoredListNames(closedFigures).has(CONTRIBUTIONS_LIST)
      ? closedFigures
      : null;
  const name = [period, figure, currency, signed?.version ?? 'now'].join(' ');
  return cachedFigures(site, name, (snapshot) =>
    FigureContributions.of(
      signed === null
        ? currentContributionsTo(snapshot, { period, figure, currency })
        : signedContributions(snapshot.books, signed.id, { figure, currency }),
      { figure, currency },
    ),
  );
}
