import {
  BAG_INFO_FILE,
  BAGIT_FILE,
  BAGIT_TXT,
  formatBagInfo,
  formatManifestLine,
  MANIFEST_FILE,
  type ManifestEntry,
  TAG_MANIFEST_FILE,
} from './bag-format.ts';
import {
  type BagTarget,
  DamagedSourceError,
  type ExportSourceFile,
  type GeneratedContent,
  type WrittenBagFile,
} from './bag-target.ts';

/** Contents of a bag to be written. */
export interface BagContent {
  /** Yields the files in a fixed order. Each call starts from the first file and keeps no list of files in memory. */
  files(): Iterable<ExportSourceFile>;
  /** Yields additional files of the bag that are generated from the exported files. */
  generatedFiles?(): AsyncIterable<{ readonly path: string; readonly bytes: Uint8Array }>;
  /**
   * Yields the index tables, each with its text in pieces. `isInBag` returns false for damaged files. `written` lists
   * the generated files and tables written so far.
   */
  tables(
    isInBag: (path: string) => boolean,
    written: readonly ManifestEntry[],
  ): Iterable<readonly [path: string, text: GeneratedContent]>;
  /** Additional fields of `bag-info.txt`. */
  readonly info: readonly (readonly [label: string, value: string])[];
  /** Date of the export request. A resumed export keeps this date. */
  readonly date: string;
}

export interface BagSummary {
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
 * Writes a bag (RFC 8493): first the files, then the index tables, then the manifests. After an interruption, the files
 * that exist are complete, and a resumed export writes only the missing files. Throws errors of the target and the
 * abort reason.
 */
export async function writeBag(
  target: BagTarget,
  content: BagContent,
  { signal, progress }: { signal: AbortSignal; progress: (done: number) => void },
): Promise<BagSummary> {
  const counts = { written: 0, unchanged: 0, from_earlier_exports: 0, bytes: 0, files: 0 };
  const damaged = new Set<string>();
  const addToPayload = ({ bytes }: { bytes: number }) => {
    counts.bytes += bytes;
    counts.files++;
  };

  for (const file of content.files()) {
    signal.throwIfAborted();
    try {
      counts[await target.copy(file)]++;
      addToPayload(file);
    } catch (error) {
      if (!(error instanceof DamagedSourceError)) throw error;
      damaged.add(file.path);
    }
    progress(counts.written + counts.unchanged + damaged.size);
  }

  const others: WrittenBagFile[] = [];
  const isInBag = (path: string) => !damaged.has(path);
  for await (const file of writeGeneratedFiles(target, content, content.tables(isInBag, others), signal)) {
    others.push(file);
    addToPayload(file);
  }
  for await (const file of listEarlierFiles(target, content, damaged, others)) {
    signal.throwIfAborted();
    others.push(file);
    addToPayload(file);
    counts.from_earlier_exports++;
  }

  const tags = [
    await target.write(BAGIT_FILE, [BAGIT_TXT]),
    await target.write(BAG_INFO_FILE, [
      formatBagInfo([
        ...content.info,
        ['Bagging-Date', content.date],
        ['Payload-Oxum', `${counts.bytes}.${counts.files}`],
      ]),
    ]),
    await target.write(MANIFEST_FILE, formatManifest(others, content, damaged)),
  ];
  const { sha256 } = await target.write(TAG_MANIFEST_FILE, tags.map(formatManifestLine));
  await target.finish();
  return { ...counts, damaged: [...damaged], checksum: sha256 };
}

async function* writeGeneratedFiles(
  target: BagTarget,
  content: BagContent,
  tables: ReturnType<BagContent['tables']>,
  signal: AbortSignal,
): AsyncGenerator<WrittenBagFile, void, undefined> {
  for await (const { path, bytes } of content.generatedFiles?.() ?? []) {
    signal.throwIfAborted();
    yield await target.write(path, [bytes]);
  }
  for (const [path, text] of tables) {
    signal.throwIfAborted();
    yield await target.write(path, text);
  }
}

/** Yields the target's files from earlier exports. `written` are the files written besides `content.files`. */
async function* listEarlierFiles(
  target: BagTarget,
  content: BagContent,
  damaged: ReadonlySet<string>,
  written: readonly WrittenBagFile[],
) {
  if (target.earlierFiles === null) return;
  const paths = new Set(written.map(({ path }) => path));
  for (const { path } of content.files()) if (!damaged.has(path)) paths.add(path);
  yield* target.earlierFiles((path) => paths.has(path));
}

function* formatManifest(
  others: readonly ManifestEntry[],
  content: BagContent,
  damaged: ReadonlySet<string>,
): Generator<string> {
  for (const file of others) yield formatManifestLine(file);
  for (const file of content.files()) if (!damaged.has(file.path)) yield formatManifestLine(file);
}
