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
} from './format.ts';
import { type BagTarget, DamagedSourceError, type ExportSourceFile, type WrittenFile } from './sink.ts';

/** The contents of a bag to write. */
export interface BagContent {
  /** Yields the files in a fixed order. Called twice, so that no list of them is held. */
  files(): Iterable<ExportSourceFile>;
  /** Yields files generated from the exported ones: path and bytes. */
  made?(): AsyncIterable<{ readonly path: string; readonly bytes: Uint8Array }>;
  /** Yields index tables: path and text in pieces. `isIn` returns true for files in the bag. */
  tables(isIn: (path: string) => boolean): Iterable<readonly [path: string, text: Iterable<string>]>;
  /** Additional fields of `bag-info.txt`. */
  readonly info: readonly (readonly [label: string, value: string])[];
  /** The day on which the export was requested. It stays the same when the export is resumed. */
  readonly date: string;
}

export interface WrittenBag {
  written: number;
  unchanged: number;
  /** Number of files of earlier exports that stay in the bag. */
  from_earlier_exports: number;
  /** Paths of damaged or missing files, which are not in the bag. */
  damaged: string[];
  /** Payload bytes. */
  bytes: number;
  files: number;
  /** SHA-256 of the tag manifest, which covers every byte of the bag. */
  checksum: string;
}

/**
 * Writes a bag (RFC 8493): files, then index tables, then manifests. Whatever interrupts it, existing files are complete,
 * and resuming writes only what is missing. Throws the target's errors and the signal's reason.
 */
export async function writeBag(
  sink: BagTarget,
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
      done[await sink.copy(file)]++;
      count(file);
    } catch (error) {
      if (!(error instanceof DamagedSourceError)) throw error;
      damaged.add(file.path);
    }
    progress(done.written + done.unchanged + damaged.size);
  }

  const made: WrittenFile[] = [];
  for await (const { path, bytes } of content.made?.() ?? []) {
    signal.throwIfAborted();
    made.push(await sink.write(path, [bytes]));
  }
  for (const [path, text] of content.tables((path) => !damaged.has(path))) {
    signal.throwIfAborted();
    made.push(await sink.write(path, text));
  }
  for (const file of made) count(file);

  const earlier: WrittenFile[] = [];
  if (sink.earlier !== null) {
    const now = new Set(made.map(({ path }) => path));
    for (const { path } of content.files()) if (!damaged.has(path)) now.add(path);
    for await (const file of sink.earlier((path) => now.has(path))) {
      signal.throwIfAborted();
      earlier.push(file);
      count(file);
      done.from_earlier_exports++;
    }
  }

  const tags = [
    await sink.write(BAGIT_FILE, [BAGIT_TXT]),
    await sink.write(BAG_INFO_FILE, [
      formatBagInfo([
        ...content.info,
        ['Bagging-Date', content.date],
        ['Payload-Oxum', `${done.bytes}.${done.files}`],
      ]),
    ]),
    await sink.write(MANIFEST_FILE, manifest([...made, ...earlier], content, damaged)),
  ];
  const { sha256 } = await sink.write(TAG_MANIFEST_FILE, tags.map(manifestLine));
  await sink.finish();
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
