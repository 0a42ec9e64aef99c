import { hash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import {
  type ClosedRowChunkContent,
  findClosedRowChunk,
  listClosedRowChunks,
} from '../store/periods/closed-figures.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Returns the text of a stored chunk of closed rows, or null if the chunk does not match its checksum. */
export function readClosedChunkText({ content, sha256 }: ClosedRowChunkContent): string | null {
  try {
    const text = inflateRawSync(content).toString();
    return hash('sha256', text, 'hex') === sha256 ? text : null;
  } catch {
    return null;
  }
}

/** Yields closed rows as text from row number `from` (0-based), or null for each row of a damaged chunk. */
export function* readClosedChunkLines(
  books: ReadableDb,
  closedFigures: number,
  kind: string,
  from = 0,
): Generator<string | null, void, undefined> {
  for (const { first_row, count } of listClosedRowChunks(books, closedFigures, kind)) {
    if (first_row + count <= from) continue;
    const text = readClosedChunkText(findClosedRowChunk(books, closedFigures, kind, first_row)!);
    const lines: readonly (string | null)[] =
      text === null ? new Array<null>(count).fill(null) : text.split('\n').slice(0, -1);
    yield* lines.slice(Math.max(0, from - first_row));
  }
}
