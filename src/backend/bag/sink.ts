import { open } from 'node:fs/promises';
import type { ListedFile } from './format.ts';
import { piecesOf } from './reading.ts';

/** Where a bag is written to: a folder or a ZIP file. Paths are a bag's, with `/`; nothing is written outside it. */
export interface BagSink {
  /**
   * Puts a file of the computer into the bag. `kept` where the bag holds it as it is already.
   * @throws DamagedSource where the file is not there or is not what its hash says; nothing of it is in the bag then.
   */
  copy(file: SourceFile): Promise<'written' | 'kept'>;
  /** Puts what was made for it into the bag, given in pieces. */
  write(path: string, content: Iterable<string | Uint8Array>): Promise<WrittenFile>;
  /**
   * What of earlier exports to this bag is neither copied nor written now and stays in it, unchanged since. Null where it is always
   * made anew.
   */
  readonly earlier: ((isNow: (path: string) => boolean) => AsyncIterable<WrittenFile>) | null;
  /** Makes the bag durable under its own name. */
  finish(): Promise<void>;
  /** Leaves it so that it can be gone on with; nothing half is left under a name of the bag. */
  abandon(): Promise<void>;
}

export interface SourceFile extends ListedFile {
  /** The file's place on this computer. */
  readonly source: string;
  readonly bytes: number;
}

export interface WrittenFile extends ListedFile {
  readonly bytes: number;
}

/** A file that was to be exported and is not what it should be. */
export class DamagedSource extends Error {
  override readonly name = 'DamagedSource';
}

/** The bytes of a file that is to be exported, piece by piece. Throws DamagedSource where it cannot be read. */
export async function* sourcePieces({ source, path }: SourceFile): AsyncGenerator<Buffer, void, undefined> {
  const damaged = (error: NodeJS.ErrnoException) => {
    throw new DamagedSource(`${path}: ${error.code ?? 'unreadable'}`);
  };
  const file = await open(source, 'r').catch(damaged);
  try {
    const pieces = piecesOf(file);
    for (;;) {
      const next = await pieces.next().catch(damaged);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await file.close();
  }
}
