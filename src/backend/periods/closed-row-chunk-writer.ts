import { createHash, hash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { addClosedRowChunk } from '../store/periods/closed-figures.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';

/** Stores rows as compressed chunks of closed figures. Computes the number and the digest of all rows. */
export class ClosedRowChunkWriter {
  readonly #books: WritableDb;
  readonly #closedFigures: number;
  readonly #digest = createHash('sha256');
  #count = 0;

  constructor(books: WritableDb, closedFigures: number) {
    this.#books = books;
    this.#closedFigures = closedFigures;
  }

  get count(): number {
    return this.#count;
  }

  /** Stores rows, given as texts, in one chunk with its own digest. Must be called in a transaction. */
  add(kind: string, first_row: number, rows: readonly string[]): void {
    const text = rows.map((row) => `${row}\n`).join('');
    this.#digest.update(text);
    const chunk = {
      first_row,
      count: rows.length,
      sha256: hash('sha256', text, 'hex'),
      content: deflateRawSync(text),
    };
    addClosedRowChunk(this.#books, this.#closedFigures, kind, chunk);
    this.#count += rows.length;
  }

  /** Returns the number and the digest of all rows. No chunk can be added after this call. */
  finish(): { count: number; sha256: string } {
    return { count: this.#count, sha256: this.#digest.digest('hex') };
  }
}
