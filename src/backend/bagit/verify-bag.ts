import type { BagVerification } from '../../contract/index.ts';
import {
  BAG_INFO_FILE,
  BAGIT_FILE,
  MANIFEST_FILE,
  type ManifestEntry,
  PAYLOAD_FOLDER,
  parseBagInfo,
  parseManifestLine,
  TAG_MANIFEST_FILE,
} from './bag-format.ts';
import { type BagEntry, type BagReader, readBagLines, readBagText, withOpenBag } from './bag-reader.ts';

const MAX_PROBLEMS = 1000;
/** Limits chosen by judgment. A manifest line contains a checksum and a path. */
const MANIFEST_LIMITS = { bytes: 512 * 1024 * 1024, lineLength: 16_384 };
const MAX_TAG_FILE_BYTES = 1024 * 1024;

/** Options of a verification. `progress` receives the numbers of verified files and of all files. */
interface VerifyControls {
  readonly signal?: AbortSignal | undefined;
  /** Called for each payload file with its actual checksum. */
  readonly onPayloadFile?: (file: ManifestEntry) => void;
  readonly progress?: (done: number, total: number) => void;
}

/** Opens and verifies a bag. Throws as `withOpenBag` does. */
export const verifyBagAtPath = (path: string, controls: VerifyControls): Promise<BagVerification> =>
  withOpenBag(path, [], (bag) => verifyBag(bag, controls));

/**
 * Verifies a bag by RFC 8493, section 3: required files exist, every file is listed once and matches its checksum, and
 * there are no other files. Reads nothing but the bag.
 */
export async function verifyBag(bag: BagReader, controls: VerifyControls): Promise<BagVerification> {
  const problems = new ProblemList();
  const existing = new Set<string>();
  let total = 0;
  for await (const { path } of bag.entries()) {
    controls.signal?.throwIfAborted();
    total++;
    if (existing.has(path)) problems.add(path, 'occurs twice');
    existing.add(path);
  }
  for (const path of [BAGIT_FILE, MANIFEST_FILE].filter((each) => !existing.has(each)))
    problems.add(path, 'is missing');
  const readTags = async (path: string) => {
    if (!existing.has(path)) return null;
    try {
      return parseBagInfo(await readBagText(bag, path, MAX_TAG_FILE_BYTES));
    } catch (error) {
      problems.add(path, formatReadError(error));
      return null;
    }
  };
  checkDeclaration(await readTags(BAGIT_FILE), problems);
  const info = (await readTags(BAG_INFO_FILE)) ?? new Map<string, string>();

  const checksums = await readManifest(bag, MANIFEST_FILE, existing, problems);
  for (const path of [...checksums.keys()].filter((each) => !each.startsWith(PAYLOAD_FOLDER)))
    problems.add(path, `is listed in ${MANIFEST_FILE} but is not a payload file`);
  const tagChecksums = await readManifest(bag, TAG_MANIFEST_FILE, existing, problems);
  for (const [path, sha256] of tagChecksums) checksums.set(path, sha256);

  const { files, bytes, checksum } = await verifyFiles(bag, checksums, problems, { ...controls, total });
  const oxum = info.get('Payload-Oxum');
  if (oxum !== undefined && oxum !== `${bytes}.${files}`)
    problems.add(BAG_INFO_FILE, `declares Payload-Oxum ${oxum}, but the payload has ${bytes}.${files}`);
  return {
    ok: problems.count === 0,
    kind: bag.kind,
    path: bag.path,
    files,
    bytes,
    info: [...info].map(([label, value]) => ({ label, value })),
    checksum,
    problems: problems.listed,
    wrong: problems.count,
  };
}

/** Problems found in a bag. Lists the first 1,000 and counts all of them. */
class ProblemList {
  readonly listed: BagVerification['problems'] = [];
  count = 0;

  add(path: string, message: string): void {
    this.count++;
    if (this.listed.length < MAX_PROBLEMS) this.listed.push({ path, message });
  }
}

function checkDeclaration(declared: ReadonlyMap<string, string> | null, problems: ProblemList): void {
  if (declared === null) return;
  if (declared.get('BagIt-Version') !== '1.0') problems.add(BAGIT_FILE, 'does not declare BagIt 1.0');
  if (declared.get('Tag-File-Character-Encoding')?.toUpperCase() !== 'UTF-8')
    problems.add(BAGIT_FILE, 'does not declare UTF-8');
}

function formatReadError(error: unknown): string {
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/** Returns the checksums by path. A path that is listed twice is reported as a problem. */
async function readManifest(
  bag: BagReader,
  manifest: string,
  existing: ReadonlySet<string>,
  problems: ProblemList,
): Promise<Map<string, string>> {
  const checksums = new Map<string, string>();
  if (!existing.has(manifest)) return checksums;
  let number = 0;
  try {
    for await (const line of readBagLines(bag, manifest, MANIFEST_LIMITS)) {
      number++;
      if (line.trim() === '') continue;
      const file = parseManifestLine(line);
      if (file === null) problems.add(manifest, `has an invalid line ${number}`);
      else if (checksums.has(file.path)) problems.add(file.path, `is listed twice in ${manifest}`);
      // Skips checksums of missing files, so that the map never holds more entries than the bag has files.
      else if (existing.has(file.path)) checksums.set(file.path, file.sha256);
      else problems.add(file.path, 'is listed but missing');
    }
  } catch (error) {
    problems.add(manifest, formatReadError(error));
  }
  return checksums;
}

/** Compares every file with its checksum. Returns the payload's size and the tag manifest's checksum. */
async function verifyFiles(
  bag: BagReader,
  checksums: ReadonlyMap<string, string>,
  problems: ProblemList,
  { signal, progress, onPayloadFile, total }: VerifyControls & { total: number },
): Promise<{ files: number; bytes: number; checksum: string | null }> {
  const verified = { files: 0, bytes: 0, checksum: null as string | null };
  let done = 0;
  for await (const entry of bag.entries()) {
    signal?.throwIfAborted();
    const content = await verifyEntry(entry, checksums.get(entry.path), problems);
    if (content !== null && entry.path === TAG_MANIFEST_FILE) verified.checksum = content.sha256;
    if (content !== null && entry.path.startsWith(PAYLOAD_FOLDER)) {
      verified.bytes += content.bytes;
      verified.files++;
      onPayloadFile?.({ path: entry.path, sha256: content.sha256 });
    }
    progress?.(++done, total);
  }
  return verified;
}

/** Compares a file with its checksum. Returns its SHA-256 and size, or null if it cannot be read. */
async function verifyEntry({ path, hash }: BagEntry, expected: string | undefined, problems: ProblemList) {
  if (path.startsWith(PAYLOAD_FOLDER) && expected === undefined)
    problems.add(path, 'is in the payload but not in the manifest');
  try {
    const content = await hash();
    if (expected !== undefined && content.sha256 !== expected)
      problems.add(path, 'does not match its SHA-256');
    return content;
  } catch (error) {
    problems.add(path, formatReadError(error));
    return null;
  }
}
