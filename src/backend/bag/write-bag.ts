import {
  BAG_INFO,
  BAGIT,
  BAGIT_TXT,
  bagInfo,
  type ListedFile,
  MANIFEST,
  manifestLine,
  PAYLOAD,
  TAG_MANIFEST,
} from './format.ts';
import { type BagSink, DamagedSource, type SourceFile, type WrittenFile } from './sink.ts';

/** What is to stand in a bag. */
export interface BagContent {
  /** The files, in an order that is the same each time; read twice, so that no list of them is held. */
  files(): Iterable<SourceFile>;
  /** What is made of the files, one after another: a path and the bytes. */
  made?(): AsyncIterable<{ readonly path: string; readonly bytes: Uint8Array }>;
  /** Tables about them: a path, and the text in pieces. `isIn` tells which of the files are in the bag. */
  tables(isIn: (path: string) => boolean): Iterable<readonly [path: string, text: Iterable<string>]>;
  /** For `bag-info.txt`, besides what every bag says there. */
  readonly info: readonly (readonly [label: string, value: string])[];
  /** The day the export was asked for: the same however often it is gone on with. */
  readonly date: string;
}

export interface WrittenBag {
  written: number;
  kept: number;
  /** Files of earlier exports to the same place that stay in the bag. */
  earlier: number;
  /** Paths whose file is damaged or gone; they are not in the bag. */
  damaged: string[];
  /** Payload bytes. */
  bytes: number;
  files: number;
  /** SHA-256 of the tag manifest: it stands for every byte of the bag. */
  receipt: string;
}

/**
 * Writes a bag (RFC 8493): the files first, then the tables about them, then the manifests, so that whatever stops it, what is there
 * is whole, and going on writes only what is missing. Throws what the sink throws, and the signal's reason.
 */
export async function writeBag(
  sink: BagSink,
  content: BagContent,
  { signal, progress }: { signal: AbortSignal; progress: (done: number) => void },
): Promise<WrittenBag> {
  const done = { written: 0, kept: 0, earlier: 0, bytes: 0, files: 0 };
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
      if (!(error instanceof DamagedSource)) throw error;
      damaged.add(file.path);
    }
    progress(done.written + done.kept + damaged.size);
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
      done.earlier++;
    }
  }

  const tags = [
    await sink.write(BAGIT, [BAGIT_TXT]),
    await sink.write(BAG_INFO, [
      bagInfo([
        ...content.info,
        ['Bagging-Date', content.date],
        ['Payload-Oxum', `${done.bytes}.${done.files}`],
      ]),
    ]),
    await sink.write(MANIFEST, manifest([...made, ...earlier], content, damaged)),
  ];
  const { sha256 } = await sink.write(TAG_MANIFEST, tags.map(manifestLine));
  await sink.finish();
  return { ...done, damaged: [...damaged], receipt: sha256 };
}

function* manifest(
  others: readonly ListedFile[],
  content: BagContent,
  damaged: ReadonlySet<string>,
): Generator<string> {
  for (const file of others) yield manifestLine(file);
  for (const file of content.files()) if (!damaged.has(file.path)) yield manifestLine(file);
}

export const payload = (path: string): string => `${PAYLOAD}${path}`;
