import { open } from 'node:fs/promises';
import type { ManifestEntry } from './bag-format.ts';
import { readFileChunks } from './hash-files.ts';

/** Content of a generated file in pieces, computed while it is written. Null ends a step of the computation without a piece. */
export type GeneratedContent = Iterable<string | Uint8Array | null>;

/** Target of a BagIt export: a folder or a ZIP file. Paths are relative to it and use `/`. */
export interface BagTarget {
  /**
   * Copies a file into the bag. Returns `unchanged` if the bag already contains it. @throws DamagedSourceError without
   * adding the file if the file is missing or does not match its checksum
   */
  copy(file: ExportSourceFile): Promise<'written' | 'unchanged'>;
  /** Writes generated content into the bag. */
  write(path: string, content: GeneratedContent): Promise<WrittenBagFile>;
  /** Yields the files that earlier exports left and this export does not write. Null if the target starts empty. */
  readonly earlierFiles:
    | ((isInThisExport: (path: string) => boolean) => AsyncIterable<WrittenBagFile>)
    | null;
  /** Completes the bag, flushes it to disk and renames it to its final name. */
  finish(): Promise<void>;
  /** Stops writing, so that the export can be resumed later. No partly written file keeps its final name. */
  abandon(): Promise<void>;
}

export interface ExportSourceFile extends WrittenBagFile {
  /** Path of the local file to copy into the bag. */
  readonly source: string;
}

export interface WrittenBagFile extends ManifestEntry {
  readonly bytes: number;
}

/** Thrown when a file to be exported is missing or damaged. */
export class DamagedSourceError extends Error {
  override readonly name = 'DamagedSource';
}

/** Yields the content of a file to export in pieces. Throws DamagedSourceError if the file cannot be read. */
export async function* readSourceChunks({
  source,
  path,
}: ExportSourceFile): AsyncGenerator<Buffer, void, undefined> {
  const throwDamaged = (error: NodeJS.ErrnoException) => {
    throw new DamagedSourceError(`${path}: ${error.code ?? 'unreadable'}`);
  };
  const file = await open(source, 'r').catch(throwDamaged);
  try {
    const pieces = readFileChunks(file);
    for (;;) {
      const next = await pieces.next().catch(throwDamaged);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await file.close();
  }
}
