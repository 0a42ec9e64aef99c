import {
  BAG_INFO_FILE,
  BAGIT_FILE,
  MANIFEST_FILE,
  PAYLOAD_FOLDER,
  readBagInfo,
  readManifestLine,
  TAG_MANIFEST_FILE,
} from './bag-format.ts';
import type { BagReader } from './bag-reader.ts';

/** Problem found in a bag, with its location. */
export interface BagProblem {
  /** Path of the file in the bag. Empty if the problem concerns the entire bag. */
  readonly path: string;
  readonly message: string;
}

export interface BagVerification {
  readonly files: number;
  readonly bytes: number;
  readonly info: ReadonlyMap<string, string>;
  /** SHA-256 of the tag manifest, the checksum that the export reported. Null if there is no tag manifest. */
  readonly checksum: string | null;
  /** The first 1,000 problems. Empty if the bag is intact. */
  readonly problems: readonly BagProblem[];
  /** Total number of problems. */
  readonly wrong: number;
}

const MAX_PROBLEMS = 1000;
const MAX_MANIFEST_BYTES = 512 * 1024 * 1024;
const MAX_TAG_FILE_BYTES = 1024 * 1024;

/**
 * Verifies a bag by RFC 8493, section 3: required files exist, every file is listed once and matches its checksum, and
 * there are no other files. Needs only the bag itself.
 */
export async function verifyBag(
  source: BagReader,
  { signal, progress }: { signal: AbortSignal; progress: (done: number, total: number) => void },
): Promise<BagVerification> {
  const problems: BagProblem[] = [];
  let wrong = 0;
  const problem = (path: string, message: string) => {
    wrong++;
    if (problems.length < MAX_PROBLEMS) problems.push({ path, message });
  };

  const existingPaths = new Set<string>();
  let entries = 0;
  for await (const { path } of source.entries()) {
    signal.throwIfAborted();
    entries++;
    if (existingPaths.has(path)) problem(path, 'stands in it twice');
    existingPaths.add(path);
  }
  for (const path of [BAGIT_FILE, MANIFEST_FILE]) if (!existingPaths.has(path)) problem(path, 'is missing');
  if (existingPaths.has(BAGIT_FILE)) {
    const declared = readBagInfo(await source.text(BAGIT_FILE, MAX_TAG_FILE_BYTES));
    if (declared.get('BagIt-Version') !== '1.0') problem(BAGIT_FILE, 'does not declare BagIt 1.0');
    if (declared.get('Tag-File-Character-Encoding')?.toUpperCase() !== 'UTF-8')
      problem(BAGIT_FILE, 'does not declare UTF-8');
  }
  const info = existingPaths.has(BAG_INFO_FILE)
    ? readBagInfo(await source.text(BAG_INFO_FILE, MAX_TAG_FILE_BYTES))
    : new Map<string, string>();

  /** Returns the checksums by path. A path that is listed twice is reported as a problem. */
  const listedIn = async (manifest: string): Promise<Map<string, string>> => {
    const listed = new Map<string, string>();
    if (!existingPaths.has(manifest)) return listed;
    const text = await source.text(manifest, MAX_MANIFEST_BYTES);
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
  for (const path of listed.keys()) if (!existingPaths.has(path)) problem(path, 'is listed and missing');

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
