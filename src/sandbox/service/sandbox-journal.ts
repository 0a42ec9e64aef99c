import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
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

  /** Opens or creates a journal file. Removes a last line that a crash has truncated. Throws if the header differs. */
  static open(
    path: string | undefined,
    header: SandboxJournalHeader,
  ): { journal: SandboxJournal; header: SandboxJournalHeader; entries: SandboxJournalEntry[] } {
    if (path === undefined) return { journal: new SandboxJournal(null), header, entries: [] };
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const completeLines = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = completeLines.split('\n').filter((line) => line !== '');
    const [storedHeader, ...entries] = lines.map((line) => JSON.parse(line));
    if (storedHeader !== undefined) assertSameHeader(path, storedHeader as SandboxJournalHeader, header);
    if (completeLines.length < text.length) truncateSync(path, Buffer.byteLength(completeLines));
    const journal = new SandboxJournal(openSync(path, 'a'));
    if (storedHeader === undefined) journal.append(header);
    return { journal, header: storedHeader ?? header, entries };
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

function assertSameHeader(path: string, stored: SandboxJournalHeader, requested: SandboxJournalHeader): void {
  if (stored.tieout_sandbox !== 1) throw new Error(`${path} is not a sandbox data file`);
  for (const name of Object.keys(requested) as (keyof SandboxJournalHeader)[]) {
    const [before, now] = [JSON.stringify(stored[name]), JSON.stringify(requested[name])];
    if (before === now) continue;
    const message = `${path} contains a sandbox with ${name} ${before}, not ${now}`;
    throw new Error(`${message}: start it with the same options, or choose another file`);
  }
}
