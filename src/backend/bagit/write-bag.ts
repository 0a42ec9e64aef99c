import {
  BAG_INFO_FILE,
  BAGIT_FILE,
  BAGIT_TXT,
  formatBagInfo,
  type ListedFile,
  MANIFEST_FILE,
  manifestLine,
  PAYLOAD_FOLDER,
  TAG_MANIFEST_FILE,
} from './bag-format.ts';
import { type BagTarget, DamagedSourceError, type ExportSourceFile, type WrittenFile } from './bag-target.ts';

/** Contents of a bag to be written. */
export interface BagContent {
  /** Yields the files in a fixed order. Called twice, so that the files need not be collected in a list. */
  files(): Iterable<ExportSourceFile>;
  /** Yields files that are generated from the exported ones. */
  generatedFiles?(): AsyncIterable<{ readonly path: string; readonly bytes: Uint8Array }>;
  /** Yields the index tables, each with its text in pieces. `isIn` returns true for files that are in the bag. */
  tables(isIn: (path: string) => boolean): Iterable<readonly [path: string, text: Iterable<string>]>;
  /** Additional fields of `bag-info.txt`. */
  readonly info: readonly (readonly [label: string, value: string])[];
  /** Date on which the export was requested. A resumed export has the same date. */
  readonly date: string;
}

export interface WrittenBag {
  written: number;
  unchanged: number;
  /** Number of files from earlier exports that remain in the bag. */
  from_earlier_exports: number;
  /** Paths of files that were not exported because they are damaged or missing. */
  damaged: string[];
  /** Size of the payload in bytes. */
  bytes: number;
  files: number;
  /** SHA-256 of the tag manifest, which covers every byte of the bag. */
  checksum: string;
}

/**
 * Writes a bag (RFC 8493): first the files, then the index tables, then the manifests. If it is interrupted, existing
 * files are complete, and resuming writes only the missing ones. Throws errors of the target and the abort reason.
 */
export async function writeBag(
  target: BagTarget,
  content: BagContent,
  { signal, progress }: { signal: AbortSignal; progress: (done: number) => void },
): Promise<WrittenBag> {
  const done = { written: 0, unchanged: 0, from_earlier_exports: 0, bytes: 0, files: 0 };
  const damaged = new Set<string>();
  const count = ({ bytes }: { bytes: number }) => {
    done.bytes += bytes;
    done.files++;
  };

  for (const file of content.files()) {
    signal.throwIfAborted();
    try {
      done[await target.copy(file)]++;
      count(file);
    } catch (error) {
      if (!(error instanceof DamagedSourceError)) throw error;
      damaged.add(file.path);
    }
    progress(done.written + done.unchanged + damaged.size);
  }

  const made: WrittenFile[] = [];
  for await (const { path, bytes } of content.generatedFiles?.() ?? []) {
    signal.throwIfAborted();
    made.push(await target.write(path, [bytes]));
  }
  for (const [path, text] of content.tables((path) => !damaged.has(path))) {
    signal.throwIfAborted();
    made.push(await target.write(path, text));
  }
  for (const file of made) count(file);

  const earlier: WrittenFile[] = [];
  if (target.earlierFiles !== null) {
    const now = new Set(made.map(({ path }) => path));
    for (const { path } of content.files()) if (!damaged.has(path)) now.add(path);
    for await (const file of target.earlierFiles((path) => now.has(path))) {
      signal.throwIfAborted();
      earlier.push(file);
      count(file);
      done.from_earlier_exports++;
    }
  }

  const tags = [
    await target.write(BAGIT_FILE, [BAGIT_TXT]),
    await target.write(BAG_INFO_FILE, [
      formatBagInfo([
        ...content.info,
        ['Bagging-Date', content.date],
        ['Payload-Oxum', `${done.bytes}.${done.files}`],
      ]),
    ]),
    await target.write(MANIFEST_FILE, manifest([...made, ...earlier], content, damaged)),
  ];
  const { sha256 } = await target.write(TAG_MANIFEST_FILE, tags.map(manifestLine));
  await target.finish();
  return { ...done, damaged: [...damaged], checksum: sha256 };
}

function* manifest(
  others: readonly ListedFile[],
  content: BagContent,
  damaged: ReadonlySet<string>,
): Generator<string> {
  for (const file of others) yield manifestLine(file);
  for (const file of content.files()) if (!damaged.has(file.path)) yield manifestLine(file);
}

export const payloadPath = (path: string): string => `${PAYLOAD_FOLDER}${path}`;
