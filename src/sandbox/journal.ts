import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { PlantKind } from './world/plant.ts';
import type { Operation } from './world/world.ts';

/** What a data file is of. Two sandboxes with equal headers have equal base data. */
export interface Header {
  readonly tieout_sandbox: 1;
  readonly seed: number;
  readonly subscriptions: number;
  readonly months: number;
  readonly webhooks: number | null;
  /** Milliseconds UTC. */
  readonly now: number;
  readonly time_zone: string;
  /** What of the faults is in the data itself. */
  readonly plant: Partial<Record<PlantKind, number>> | null;
  readonly tie_seconds: number;
  readonly endpoint_down: readonly [from: string, to: string] | null;
  readonly outage: boolean;
}

/** Everything that changes the sandbox after its base data. Times are seconds UTC; webhooks are named by id. */
export type Entry =
  | Operation
  | { op: 'replay'; at: number; ids: readonly number[] }
  | { op: 'attempt'; at: number; id: number; url: string; error: string | null }
  | { op: 'endpoint'; at: number; down: boolean };

/** The entries of a data file, one JSON line each; without a file they are kept nowhere. */
export class Journal {
  readonly #file: number | null;

  private constructor(file: number | null) {
    this.#file = file;
  }

  /** Opens or creates a data file. A line cut short by a crash is taken off; a header that differs is an error. */
  static open(
    path: string | undefined,
    header: Header,
  ): { journal: Journal; header: Header; entries: Entry[] } {
    if (path === undefined) return { journal: new Journal(null), header, entries: [] };
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = whole.split('\n').filter((line) => line !== '');
    const [first, ...rest] = lines.map((line) => JSON.parse(line));
    if (first !== undefined) assertSame(path, first as Header, header);
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    const journal = new Journal(openSync(path, 'a'));
    if (first === undefined) journal.#write(header);
    return { journal, header: (first as Header | undefined) ?? header, entries: rest as Entry[] };
  }

  append(entry: Entry): void {
    this.#write(entry);
  }

  close(): void {
    if (this.#file === null) return;
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #write(line: Header | Entry): void {
    if (this.#file !== null) writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

function assertSame(path: string, held: Header, wanted: Header): void {
  if (held.tieout_sandbox !== 1) throw new Error(`${path} is not a sandbox data file`);
  for (const name of Object.keys(wanted) as (keyof Header)[]) {
    const [has, asked] = [JSON.stringify(held[name]), JSON.stringify(wanted[name])];
    if (has === asked) continue;
    throw new Error(
      `${path} holds a sandbox with ${name} ${has}, not ${asked}: start it the same way, or name another file`,
    );
  }
}
