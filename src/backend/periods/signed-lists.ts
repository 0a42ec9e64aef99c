import { createHash, hash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import type { PeriodSeal } from '../../contract/index.ts';
import { inChunks } from '../in-chunks.ts';
import { keptLists, type Lists } from '../report/lists.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/database.ts';
import { addChunk, type StoredSeal } from '../store/periods/period-seal.ts';
import { linesOf } from './chunks.ts';
import { sealedContent } from './sealed-content.ts';

/** Rows of a list that are kept together, and written together. */
const CHUNK = 1024;

/** Chunks of a list stand beside those of sealed rows; its rows are numbered from 0 in their order. */
export const kindOf = (list: string): string => `list ${list}`;

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
export function keptOf(seal: Pick<StoredSeal, 'content'>): ReadonlySet<string> {
  return new Set(sealedContent(seal).lists.map(({ list }) => list));
}

/** The rows of a list as they were signed, with their numbers, from the one of a number on. What is not as it was kept is left out. */
export function* numberedRows<Name extends keyof Lists>(
  books: ReadableDb,
  seal: number,
  list: Name,
  from = 0,
): Generator<readonly [number, RowOf<Name>], void, undefined> {
  let at = from;
  for (const line of linesOf(books, seal, kindOf(list), from)) {
    if (line !== null) yield [at, JSON.parse(line) as RowOf<Name>];
    at++;
  }
}

/** The rows of a list as they were signed. What is not as it was kept is left out. */
export function* signedRows<Name extends keyof Lists>(
  books: ReadableDb,
  seal: number,
  list: Name,
): Generator<RowOf<Name>, void, undefined> {
  for (const [, row] of numberedRows(books, seal, list)) yield row;
}

type RowOf<Name extends keyof Lists> = ReturnType<Lists[Name]> extends Iterable<infer Row> ? Row : never;

/** The lists of a closed period as they were signed. */
export function signedLists(books: ReadableDb, seal: StoredSeal): Partial<Lists> {
  const kept = keptOf(seal);
  const names = keptLists.filter((name) => kept.has(name));
  return Object.fromEntries(names.map((name) => [name, () => signedRows(books, seal.id, name)]));
}
