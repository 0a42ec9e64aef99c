import { closeSync, fsyncSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import type { PlantedErrorKind } from '../simulation/planted-error-kinds.ts';
import type { SiteOperation } from '../simulation/site-simulation.ts';

/** Identifies the base data of a journal file. Equal headers mean equal base data. */
export interface SandboxJournalHeader {
  readonly tieout_sandbox: 1;
  readonly seed: number;
  readonly subscriptions: number;
  readonly months: number;
  readonly webhooks: number | null;
  /** Time at which the base data ends, in UTC milliseconds. */
  readonly now: number;
  readonly time_zone: string;
  /** Numbers of planted errors in the base data, by kind. */
  readonly plant: Partial<Record<PlantedErrorKind, number>> | null;
  readonly tie_seconds: number;
  readonly endpoint_down: readonly [from: string, to: string] | null;
  /** Absent if the endpoint was never disabled. */
  readonly endpoint_disabled?: readonly [from: string, to: string];
  readonly outage: boolean;
}

/** A change after the base data. Times are seconds UTC. Webhooks are identified by id. */
export type SandboxJournalEntry =
  | SiteOperation
  | { op: 'replay'; at: number; ids: readonly number[] }
  | { op: 'attempt'; at: number; id: number; url: string; error: string | null }
  | { op: 'endpoint'; at: number; down: boolean };

/** Appends entries to a journal file, one JSON line each. Without a file, entries are discarded. */
export class SandboxJournal {
  readonly #file: number | null;

  private constructor(file: number | null) {
    this.#file = file;
  }

  /** Opens or creates a journal file. Removes a last line truncated by a crash. Throws if the header differs. */
  static open(
    path: string | undefined,
    header: SandboxJournalHeader,
  ): { journal: SandboxJournal; header: SandboxJournalHeader; entries: SandboxJournalEntry[] } {
    if (path === undefined) return { journal: new SandboxJournal(null), header, entries: [] };
    const text = readJournalFile(path);
    const completeLines = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = completeLines.split('\n').filter((line) => line !== '');
    // A file that is not a journal must be neither truncated nor appended to.
    if (!isJournal(text, lines[0], header)) throw new Error(`${path} is not a sandbox data file`);
    const [storedHeader, ...entries] = lines.map((line, index) => parseLine(path, line, index + 1));
    if (storedHeader !== undefined) assertSameHeader(path, storedHeader as SandboxJournalHeader, header);
    if (completeLines.length < text.length) truncateSync(path, Buffer.byteLength(completeLines));
    const journal = new SandboxJournal(withJournalFile(path, () => openSync(path, 'a')));
    if (storedHeader === undefined) journal.append(header);
    return {
      journal,
      header: (storedHeader as SandboxJournalHeader) ?? header,
      entries: entries as SandboxJournalEntry[],
    };
  }

  append(line: SandboxJournalHeader | SandboxJournalEntry): void {
    if (this.#file !== null) writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  close(): void {
    if (this.#file === null) return;
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}

/** Returns the text of a journal file, or an empty text if it does not exist. */
function readJournalFile(path: string): string {
  const stats = withJournalFile(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return '';
  if (stats.isDirectory()) throw new Error(`${path} is a folder`);
  if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
  return withJournalFile(path, () => readFileSync(path, 'utf8'));
}

/** Runs a file operation. Throws an error that names the file and the operating system's reason. */
function withJournalFile<Result>(path: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    throw new Error(`${path} cannot be used: ${getSystemErrorMessage(errno)}`);
  }
}

/** Returns true if a file is empty or a journal. A crash may have truncated the header. */
const isJournal = (text: string, firstLine: string | undefined, header: SandboxJournalHeader): boolean =>
  firstLine === undefined
    ? JSON.stringify(header).startsWith(text)
    : firstLine.startsWith('{"tieout_sandbox":1,');

function parseLine(path: string, line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`line ${number} of ${path} is damaged`);
  }
}

function assertSameHeader(path: string, stored: SandboxJournalHeader, requested: SandboxJournalHeader): void {
  for (const name of Object.keys(requested) as (keyof SandboxJournalHeader)[]) {
    const [before, now] = [JSON.stringify(stored[name]), JSON.stringify(requested[name])];
    if (before === now) continue;
    const message = `${path} contains a sandbox with ${name} ${before}, not ${now}`;
    throw new Error(`${message}: start it with the same options, or choose another file`);
  }
}
