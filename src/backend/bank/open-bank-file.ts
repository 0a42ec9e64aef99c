import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { BankFileBytes } from '../../domain/bankfiles/index.ts';

const READ_BUFFER_BYTES = 1 << 17;

/** File on disk that is read in pieces. The caller must close it. */
export interface OpenBankFile extends BankFileBytes {
  sha256(): string;
  close(): void;
}

/** Opens a file on disk for reading in pieces. */
export function openBankFile(path: string): OpenBankFile {
  const file = openSync(path, 'r');
  function* pieces(): Generator<Uint8Array> {
    const piece = Buffer.alloc(READ_BUFFER_BYTES);
    let at = 0;
    for (;;) {
      const read = readSync(file, piece, 0, READ_BUFFER_BYTES, at);
      if (read === 0) return;
      at += read;
      yield piece.subarray(0, read);
    }
  }
  return {
    size: fstatSync(file).size,
    chunks: pieces,
    sha256() {
      const hash = createHash('sha256');
      for (const piece of pieces()) hash.update(piece);
      return hash.digest('hex');
    },
    close: () => closeSync(file),
  };
}
