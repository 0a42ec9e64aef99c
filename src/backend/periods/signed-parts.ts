import { createHash, hash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { ClosedFigures, Inputs } from '../../contract/index.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';
import { readChunkLines } from '../changes-since-sign-off/closed-chunks.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { addChunk } from '../store/periods/closed-figures.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/sqlite/connection.ts';
import { FigureParts } from '../workpaper/figure-parts.ts';
import { contributionsTo } from '../workpaper/rows.ts';
import { findClosedFiguresInForce } from './as-signed.ts';
import { storedListNames } from './signed-lists.ts';
import { createSnapshotCache, type OpenSiteHandles } from './snapshot-cache.ts';

/** Name of the figures' contributions in the closed figures. */
export const CONTRIBUTIONS = 'parts';
/** Number of contributions stored together. */
const CHUNK = 1024;

type Figure = Pick<Contribution, 'figure' | 'currency'>;
/** A contribution without the fields that its figure implies. */
type Part = [
  kind: Contribution['kind'],
  id: number,
  day: string | null,
  cents: number,
  statement: number | null,
  match: number | null,
];

const kindOf = ({ figure, currency }: Figure): string => `${CONTRIBUTIONS} ${figure} ${currency}`;

/**
 * Stores the contributions of every figure with closed figures in progress. Returns their entry in the closed figures.
 */
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
    const kind = kindOf(each);
    const of = byKind.get(kind) ?? { first_row: 0, lines: [] };
    byKind.set(kind, of);
    const part: Part = [each.kind, each.id, each.day, each.cents, each.statement ?? null, each.match ?? null];
    of.lines.push(`${JSON.stringify(part)}\n`);
    count++;
    if (of.lines.length < CHUNK) continue;
    await write(kind, of);
    byKind.set(kind, { first_row: of.first_row + of.lines.length, lines: [] });
  }
  for (const [kind, of] of byKind) if (of.lines.length > 0) await write(kind, of);
  return { list: CONTRIBUTIONS, count, sha256: all.digest('hex') };
}

function* signedParts(books: ReadableDb, closedFigures: number, figure: Figure): Generator<Contribution> {
  for (const line of readChunkLines(books, closedFigures, kindOf(figure))) {
    if (line === null) continue;
    const [kind, id, day, cents, statement, match] = JSON.parse(line) as Part;
    yield {
      ...figure,
      part: '',
      ...{ kind, id, day, cents },
      ...(kind === 'transaction' && statement !== null ? { statement } : {}),
      ...(match === null ? {} : { match }),
    };
  }
}

/** Maximum number of cached figures per site: those that are being paged through. */
const MOST = 4;
const kept = createSnapshotCache<FigureParts>(MOST);

/**
 * Returns the contributions of a figure: as signed if the period is closed, else from the current records. Computed once
 * in time slices and cached until something changes, so that a page costs no more than its rows.
 */
export function cachedContributions(
  site: OpenSiteHandles,
  { period, figure, currency, now }: Omit<Inputs['workpapers']['rows'], 'site'>,
): Promise<FigureParts> {
  const closedFigures = now ? null : findClosedFiguresInForce(site.books, period);
  const signed =
    closedFigures !== null && storedListNames(closedFigures).has(CONTRIBUTIONS) ? closedFigures : null;
  const name = [period, figure, currency, signed?.version ?? 'now'].join(' ');
  return kept(site, name, (snapshot) =>
    FigureParts.of(
      signed === null
        ? contributionsTo(snapshot, { period, figure, currency })
        : signedParts(snapshot.books, signed.id, { figure, currency }),
      { figure, currency },
    ),
  );
}
