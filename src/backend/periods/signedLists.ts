import { createHash, hash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PeriodSeal } from '../../contract/index.ts';
import { inChunks } from '../inChunks.ts';
import { keptLists, type Lists } from '../report/lists.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/database.ts';
import { addChunk, chunkAround, chunksOf, type StoredSeal } from '../store/periods/periodSeal.ts';

/** Rows of a list that are kept together, and written together. */
const CHUNK = 1024;

/** Chunks of a list stand beside those of sealed rows; its rows are numbered from 0 in their order. */
const kindOf = (list: keyof Lists): string => `list ${list}`;

/** Keeps the lists with a seal that is being made; gives what the seal says of them. */
export async function keepLists(
  books: WritableDb,
  seal: number,
  lists: Lists,
  signal: AbortSignal,
  tell: (list: string) => void,
): Promise<PeriodSeal['lists']> {
  const kept: PeriodSeal['lists'] = [];
  for (const name of keptLists) {
    const all = createHash('sha256');
    let count = 0;
    tell(name);
    for (const rows of inChunks<unknown>(lists[name](), CHUNK)) {
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      all.update(text);
      const chunk = { first_row: count, count: rows.length, sha256: hash('sha256', text, 'hex') };
      commit(books, () => addChunk(books, seal, kindOf(name), chunk, deflateRawSync(text)));
      count += rows.length;
      await breathe();
      signal.throwIfAborted();
    }
    kept.push({ list: name, count, sha256: all.digest('hex') });
  }
  return kept;
}

/** The lists that are kept with a seal. One that was made before lists were has none. */
export function keptOf({ content }: Pick<StoredSeal, 'content'>): ReadonlySet<string> {
  const { lists = [] } = JSON.parse(content ?? '{}') as Partial<PeriodSeal>;
  return new Set(lists.map(({ list }) => list));
}

/** The rows of a list as they were signed, from the one of a number on. */
export function* signedRows<Name extends keyof Lists>(
  books: ReadableDb,
  seal: number,
  list: Name,
  from = 0,
): Generator<RowOf<Name>, void, undefined> {
  for (const line of linesOf(books, seal, kindOf(list), from)) yield JSON.parse(line) as RowOf<Name>;
}

/** The lines of chunks of a kind whose rows are numbered from 0, from the one of a number on. */
export function* linesOf(
  books: ReadableDb,
  seal: number,
  kind: string,
  from = 0,
): Generator<string, void, undefined> {
  for (const { first_row, count } of chunksOf(books, seal, kind)) {
    if (first_row + count <= from) continue;
    const text = inflateRawSync(chunkAround(books, seal, kind, first_row)!.content).toString();
    yield* text.split('\n').slice(Math.max(0, from - first_row), -1);
  }
}

type RowOf<Name extends keyof Lists> = ReturnType<Lists[Name]> extends Iterable<infer Row> ? Row : never;

/** The lists of a closed period as they were signed. */
export function signedLists(books: ReadableDb, seal: StoredSeal): Partial<Lists> {
  const kept = keptOf(seal);
  const names = keptLists.filter((name) => kept.has(name));
  return Object.fromEntries(names.map((name) => [name, () => signedRows(books, seal.id, name)]));
}
