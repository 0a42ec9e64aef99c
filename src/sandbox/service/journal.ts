import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { PlantKind } from '../simulation/plant-kinds.ts';
import type { SiteOperation } from '../simulation/simulation.ts';

/** Identifies the base data of a journal file. Equal headers mean equal base data. */
export interface JournalHeader {
  readonly tieout_sandbox: 1;
  readonly seed: number;
  readonly subscriptions: number;
  readonly months: number;
  readonly webhooks: number | null;
  /** Time at which the base data ends, in UTC milliseconds. */
  readonly now: number;
  readonly time_zone: string;
  /** Numbers of planted errors in the base data, by kind. */
  readonly plant: Partial<Record<PlantKind, number>> | null;
  readonly tie_seconds: number;
  readonly endpoint_down: readonly [from: string, to: string] | null;
  readonly outage: boolean;
}

/** A change after the base data. Times are seconds UTC. Webhooks are identified by id. */
export type JournalEntry =
  | SiteOperation
  | { op: 'replay'; at: number; ids: readonly number[] }
  | { op: 'attempt'; at: number; id: number; url: string; error: string | null }
  | { op: 'endpoint'; at: number; down: boolean };

/** Appends entries to a journal file, one JSON line each. Without a file, entries are discarded. */
export class Journal {
  readonly #file: number | null;

  private constructor(file: number | null) {
    this.#file = file;
  }

  /** Opens or creates a journal file. Removes a last line that a crash has truncated. Throws if the header differs. */
  static open(
    path: string | undefined,
    header: JournalHeader,
  ): { journal: Journal; header: JournalHeader; entries: JournalEntry[] } {
    if (path === undefined) return { journal: new Journal(null), header, entries: [] };
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = whole.split('\n').filter((line) => line !== '');
    const [first, ...rest] = lines.map((line) => JSON.parse(line));
    if (first !== undefined) assertSameHeader(path, first as JournalHeader, header);
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    const journal = new Journal(openSync(path, 'a'));
    if (first === undefined) journal.#write(header);
    return {
      journal,
      header: (first as JournalHeader | undefined) ?? header,
      entries: rest as JournalEntry[],
    };
  }

  append(entry: JournalEntry): void {
    this.#write(entry);
  }

  close(): void {
    if (this.#file === null) return;
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #write(line: JournalHeader | JournalEntry): void {
    if (this.#file !== null) writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

function assertSameHeader(path: string, held: JournalHeader, wanted: JournalHeader): void {
  if (held.tieout_sandbox !== 1) throw new Error(`${path} is not a sandbox data file`);
  for (const name of Object.keys(wanted) as (keyof JournalHeader)[]) {
    const [has, asked] = [JSON.stringify(held[name]), JSON.stringify(wanted[name])];
    if (has === asked) continue;
    throw new Error(
      `${path} holds a sandbox with ${name} ${has}, not ${asked}: start it the same way, or name another file`,
    );
  }
}
