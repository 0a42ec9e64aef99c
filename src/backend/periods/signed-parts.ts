import { createHash, hash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import type { Inputs, PeriodSeal } from '../../contract/index.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/database.ts';
import { addChunk } from '../store/periods/period-seal.ts';
import { FigureParts } from '../workpaper/figure-parts.ts';
import { contributionsTo } from '../workpaper/rows.ts';
import { sealInForce } from './as-signed.ts';
import { linesOf } from './chunks.ts';
import { type HeldSite, keeperInTurns } from './kept-in-turns.ts';
import { keptOf } from './signed-lists.ts';

/** What a seal calls the parts of its figures, all together. */
export const PARTS = 'parts';
/** Parts of a figure that are kept together. */
const CHUNK = 1024;

type Figure = Pick<Contribution, 'figure' | 'currency'>;
/** A part without what its figure says. */
type Part = [
  kind: Contribution['kind'],
  id: number,
  day: string | null,
  cents: number,
  statement: number | null,
  match: number | null,
];

const kindOf = ({ figure, currency }: Figure): string => `${PARTS} ${figure} ${currency}`;

/** Keeps what every figure opens to with a seal that is being made, figure by figure; gives what the seal says of it. */
export async function keepParts(
  books: WritableDb,
  seal: number,
  contributions: Iterable<Contribution>,
  signal: AbortSignal,
): Promise<PeriodSeal['lists'][number]> {
  const all = createHash('sha256');
  const byKind = new Map<string, { first_row: number; lines: string[] }>();
  const write = async (kind: string, { first_row, lines }: { first_row: number; lines: string[] }) => {
    const text = lines.join('');
    all.update(text);
    const chunk = { first_row, count: lines.length, sha256: hash('sha256', text, 'hex') };
    commit(books, () => addChunk(books, seal, kind, chunk, deflateRawSync(text)));
    await breathe();
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
  return { list: PARTS, count, sha256: all.digest('hex') };
}

function* signedParts(books: ReadableDb, seal: number, figure: Figure): Generator<Contribution> {
  for (const line of linesOf(books, seal, kindOf(figure))) {
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

/** So many figures of a site are kept: those that are paged through. */
const MOST = 4;
const kept = keeperInTurns<FigureParts>(MOST);

/**
 * The parts of a figure: as they were signed where the period is closed, else as the records stand. One pass over what they are made of, in turns with
 * whatever else the thread has to do; kept until something changes, so that a page costs no more than its rows.
 */
export function partsInTurns(
  site: HeldSite,
  { period, figure, currency, now }: Omit<Inputs['workpapers']['rows'], 'site'>,
): Promise<FigureParts> {
  const seal = now ? null : sealInForce(site.books, period);
  const signed = seal !== null && keptOf(seal).has(PARTS) ? seal : null;
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
