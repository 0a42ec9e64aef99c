import { hash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { ReadableDb } from '../store/database.ts';
import { chunkAround, chunksOf, type StoredContent } from '../store/periods/period-seal.ts';

/** The text of a chunk; null where it is not what was kept: damaged, or tampered with. */
export function textOfChunk({ content, sha256 }: StoredContent): string | null {
  try {
    const text = inflateRawSync(content).toString();
    return hash('sha256', text, 'hex') === sha256 ? text : null;
  } catch {
    return null;
  }
}

/** The lines of chunks of a kind whose rows are numbered from 0, from the one of a number on; null for each that is not as it was kept. */
export function* linesOf(
  books: ReadableDb,
  seal: number,
  kind: string,
  from = 0,
): Generator<string | null, void, undefined> {
  for (const { first_row, count } of chunksOf(books, seal, kind)) {
    if (first_row + count <= from) continue;
    const text = textOfChunk(chunkAround(books, seal, kind, first_row)!);
    const lines: readonly (string | null)[] =
      text === null ? new Array<null>(count).fill(null) : text.split('\n').slice(0, -1);
    yield* lines.slice(Math.max(0, from - first_row));
  }
}
