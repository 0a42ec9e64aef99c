import { BAG_INFO, BAGIT, MANIFEST, PAYLOAD, readBagInfo, readManifestLine, TAG_MANIFEST } from './format.ts';
import type { BagSource } from './source.ts';

/** What is wrong with a bag, and where. */
export interface BagProblem {
  /** A path of the bag; empty for the bag as a whole. */
  readonly path: string;
  readonly what: string;
}

export interface BagVerdict {
  readonly files: number;
  readonly bytes: number;
  readonly info: ReadonlyMap<string, string>;
  /** SHA-256 of the tag manifest, as the receipt of an export says it; null where there is none. */
  readonly receipt: string | null;
  /** The first `MOST_PROBLEMS`; none: every byte is as it was written. */
  readonly problems: readonly BagProblem[];
  /** All of them. */
  readonly wrong: number;
}

const MOST_PROBLEMS = 1000;
const MOST_MANIFEST_BYTES = 512 * 1024 * 1024;
const TEXT_BYTES = 1024 * 1024;

/**
 * Checks a bag by RFC 8493, section 3: what must be there is, every file is listed once and is as its hash says, and nothing is there
 * that is not listed. Needs nothing but the bag itself.
 */
export async function verifyBag(
  source: BagSource,
  { signal, progress }: { signal: AbortSignal; progress: (done: number, total: number) => void },
): Promise<BagVerdict> {
  const problems: BagProblem[] = [];
  let wrong = 0;
  const problem = (path: string, what: string) => {
    wrong++;
    if (problems.length < MOST_PROBLEMS) problems.push({ path, what });
  };

  const there = new Set<string>();
  let entries = 0;
  for await (const { path } of source.entries()) {
    signal.throwIfAborted();
    entries++;
    if (there.has(path)) problem(path, 'stands in it twice');
    there.add(path);
  }
  for (const path of [BAGIT, MANIFEST]) if (!there.has(path)) problem(path, 'is missing');
  if (there.has(BAGIT)) {
    const declared = readBagInfo(await source.text(BAGIT, TEXT_BYTES));
    if (declared.get('BagIt-Version') !== '1.0') problem(BAGIT, 'does not declare BagIt 1.0');
    if (declared.get('Tag-File-Character-Encoding')?.toUpperCase() !== 'UTF-8')
      problem(BAGIT, 'does not declare UTF-8');
  }
  const info = there.has(BAG_INFO)
    ? readBagInfo(await source.text(BAG_INFO, TEXT_BYTES))
    : new Map<string, string>();

  /** By path; a path listed twice is a problem. */
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
  const listed = await listedIn(MANIFEST);
  for (const path of listed.keys())
    if (!path.startsWith(PAYLOAD)) problem(path, `is listed in ${MANIFEST} and is no payload`);
  const tags = await listedIn(TAG_MANIFEST);
  for (const [path, sha256] of tags) listed.set(path, sha256);
  for (const path of listed.keys()) if (!there.has(path)) problem(path, 'is listed and missing');

  let bytes = 0;
  let files = 0;
  let done = 0;
  let receipt: string | null = null;
  for await (const entry of source.entries()) {
    signal.throwIfAborted();
    const { path } = entry;
    const inPayload = path.startsWith(PAYLOAD);
    const expected = listed.get(path);
    if (inPayload && expected === undefined) problem(path, 'is in the payload and listed nowhere');
    try {
      const held = await entry.hash();
      if (expected !== undefined && held.sha256 !== expected)
        problem(path, 'is not what it was: its SHA-256 differs');
      if (path === TAG_MANIFEST) receipt = held.sha256;
      if (inPayload) {
        bytes += held.bytes;
        files++;
      }
    } catch (error) {
      problem(path, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    progress(++done, entries);
  }
  const oxum = info.get('Payload-Oxum');
  if (oxum !== undefined && oxum !== `${bytes}.${files}`)
    problem(BAG_INFO, `tells of ${oxum} bytes.files, and there are ${bytes}.${files}`);
  return { files, bytes, info, receipt, problems, wrong };
}
