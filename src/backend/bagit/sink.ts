import { open } from 'node:fs/promises';
import type { ListedFile } from './format.ts';
import { readFilePieces } from './reading.ts';

/** Target of a BagIt export: a folder or a ZIP file. Paths use `/`. Nothing is written outside the target. */
export interface BagTarget {
  /**
   * Copies a file into the bag. Returns `kept` if the bag already has it.
   * @throws DamagedSource if the file is missing or does not match its checksum; nothing is added then.
   */
  copy(file: ExportSourceFile): Promise<'written' | 'unchanged'>;
  /** Writes generated content, given in pieces, into the bag. */
  write(path: string, content: Iterable<string | Uint8Array>): Promise<WrittenFile>;
  /**
   * Yields files of earlier exports that are neither copied nor written now and stay unchanged. Null if the target is
   * always written from scratch.
   */
  readonly earlier: ((isNow: (path: string) => boolean) => AsyncIterable<WrittenFile>) | null;
  /** Makes the bag durable under its own name. */
  finish(): Promise<void>;
  /** Leaves the bag so that the export can be resumed. No partly written file has a name of the bag. */
  abandon(): Promise<void>;
}

export interface ExportSourceFile extends ListedFile {
  /** Path on this computer. */
  readonly source: string;
  readonly bytes: number;
}

export interface WrittenFile extends ListedFile {
  readonly bytes: number;
}

/** Thrown if a file to export is missing or damaged. */
export class DamagedSourceError extends Error {
  override readonly name = 'DamagedSource';
}

/** Yields the bytes of a file to export. Throws DamagedSource if it cannot be read. */
export async function* readSourcePieces({
  source,
  path,
}: ExportSourceFile): AsyncGenerator<Buffer, void, undefined> {
  const damaged = (error: NodeJS.ErrnoException) => {
    throw new DamagedSourceError(`${path}: ${error.code ?? 'unreadable'}`);
  };
  const file = await open(source, 'r').catch(damaged);
  try {
    const pieces = readFilePieces(file);
    for (;;) {
      const next = await pieces.next().catch(damaged);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await file.close();
  }
}
