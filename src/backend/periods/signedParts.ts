import { createHash, hash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import type { Inputs, Outputs, PeriodSeal } from '../../contract/index.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/database.ts';
import { addChunk } from '../store/periods/periodSeal.ts';
import { listRows } from '../workpaper/rows.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import { sealInForce } from './asSigned.ts';
import { linesOf } from './chunks.ts';
import { keptOf } from './signedLists.ts';

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
  count: number,
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
    const part: Part = [each.kind, each.id, each.day, each.cents, each.count ?? 1, each.match ?? null];
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
    const [kind, id, day, cents, count, match] = JSON.parse(line) as Part;
    yield {
      ...figure,
      part: '',
      ...{ kind, id, day, cents, count },
      ...(match === null ? {} : { match }),
    };
  }
}

/** The parts of a figure: as they were signed where the period is closed, else as the records stand. */
export function partsShown(
  site: WorkpaperSite,
  asked: Omit<Inputs['workpapers']['rows'], 'site'> & { limit: number },
): Outputs['workpapers']['rows'] {
  const seal = asked.now ? null : sealInForce(site.books, asked.period);
  if (seal === null || !keptOf(seal).has(PARTS)) return listRows(site, asked);
  const { figure, currency } = asked;
  return listRows(site, asked, signedParts(site.books, seal.id, { figure, currency }));
}
