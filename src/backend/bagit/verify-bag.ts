import {
  BAG_INFO_FILE,
  BAGIT_FILE,
  MANIFEST_FILE,
  PAYLOAD_FOLDER,
  readBagInfo,
  readManifestLine,
  TAG_MANIFEST_FILE,
} from './format.ts';
import type { BagReader } from './source.ts';

/** A problem found in a bag, and its location. */
export interface BagProblem {
  /** A path of the bag. Empty for the bag as a whole. */
  readonly path: string;
  readonly message: string;
}

export interface BagVerification {
  readonly files: number;
  readonly bytes: number;
  readonly info: ReadonlyMap<string, string>;
  /** SHA-256 of the tag manifest, the same as the checksum reported by the export. Null if there is none. */
  readonly checksum: string | null;
  /** The first `MOST_PROBLEMS` problems. Empty if every byte is as written. */
  readonly problems: readonly BagProblem[];
  /** Total number of problems. */
  readonly wrong: number;
}

const MOST_PROBLEMS = 1000;
const MOST_MANIFEST_BYTES = 512 * 1024 * 1024;
const TEXT_BYTES = 1024 * 1024;

/**
 * Checks a bag by RFC 8493, section 3: required files exist, every file is listed once and matches its checksum, and no
 * other file exists. Needs nothing but the bag.
 */
export async function verifyBag(
  source: BagReader,
  { signal, progress }: { signal: AbortSignal; progress: (done: number, total: number) => void },
): Promise<BagVerification> {
  const problems: BagProblem[] = [];
  let wrong = 0;
  const problem = (path: string, message: string) => {
    wrong++;
    if (problems.length < MOST_PROBLEMS) problems.push({ path, message });
  };

  const there = new Set<string>();
  let entries = 0;
  for await (const { path } of source.entries()) {
    signal.throwIfAborted();
    entries++;
    if (there.has(path)) problem(path, 'stands in it twice');
    there.add(path);
  }
  for (const path of [BAGIT_FILE, MANIFEST_FILE]) if (!there.has(path)) problem(path, 'is missing');
  if (there.has(BAGIT_FILE)) {
    const declared = readBagInfo(await source.text(BAGIT_FILE, TEXT_BYTES));
    if (declared.get('BagIt-Version') !== '1.0') problem(BAGIT_FILE, 'does not declare BagIt 1.0');
    if (declared.get('Tag-File-Character-Encoding')?.toUpperCase() !== 'UTF-8')
      problem(BAGIT_FILE, 'does not declare UTF-8');
  }
  const info = there.has(BAG_INFO_FILE)
    ? readBagInfo(await source.text(BAG_INFO_FILE, TEXT_BYTES))
    : new Map<string, string>();

  /** Returns the checksums by path. A path listed twice is a problem. */
  const listedIn = async (manifest: string): Promise<Map<string, string>> => {
    const listed = new Map<string, string>();
    if (!there.has(manifest)) return listed;
    const text = await source.text(manifest, MOST_MANIFEST_BYTES);
    for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (line.trim() === '') continue;
      const file = readManifestLine(line);
      if (file === null) problem(manifest, `line ${at + 1} is no line of a manifest`);
      else if (listed.has(file.path)) problem(file.path, `is listed twice in ${manifest}`);
      else listed.set(file.path, file.sha256);
    }
    return listed;
  };
  const listed = await listedIn(MANIFEST_FILE);
  for (const path of listed.keys())
    if (!path.startsWith(PAYLOAD_FOLDER)) problem(path, `is listed in ${MANIFEST_FILE} and is no payload`);
  const tags = await listedIn(TAG_MANIFEST_FILE);
  for (const [path, sha256] of tags) listed.set(path, sha256);
  for (const path of listed.keys()) if (!there.has(path)) problem(path, 'is listed and missing');

  let bytes = 0;
  let files = 0;
  let done = 0;
  let checksum: string | null = null;
  for await (const entry of source.entries()) {
    signal.throwIfAborted();
    const { path } = entry;
    const inPayload = path.startsWith(PAYLOAD_FOLDER);
    const expected = listed.get(path);
    if (inPayload && expected === undefined) problem(path, 'is in the payload and listed nowhere');
    try {
      const stored = await entry.hash();
      if (expected !== undefined && stored.sha256 !== expected)
        problem(path, 'is not what it was: its SHA-256 differs');
      if (path === TAG_MANIFEST_FILE) checksum = stored.sha256;
      if (inPayload) {
        bytes += stored.bytes;
        files++;
      }
    } catch (error) {
      problem(path, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    progress(++done, entries);
  }
  const oxum = info.get('Payload-Oxum');
  if (oxum !== undefined && oxum !== `${bytes}.${files}`)
    problem(BAG_INFO_FILE, `tells of ${oxum} bytes.files, and there are ${bytes}.${files}`);
  return { files, bytes, info, checksum, problems, wrong };
}
