import type { ListedFile } from './format.ts';

/** Where a bag is written to: a folder or a ZIP file. Paths are a bag's, with `/`; nothing is written outside it. */
export interface BagSink {
  /**
   * Puts a file of the computer into the bag. `kept` where the bag holds it as it is already.
   * @throws DamagedSource where the file is not there or is not what its hash says; nothing of it is in the bag then.
   */
  copy(file: SourceFile): Promise<'written' | 'kept'>;
  /** Puts what was made for it into the bag, given in pieces. */
  write(path: string, content: Iterable<string | Uint8Array>): Promise<WrittenFile>;
  /** What of earlier exports to this bag is neither copied nor written now and stays in it, unchanged since. */
  earlier(isNow: (path: string) => boolean): AsyncIterable<WrittenFile>;
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
