import { parseArgs } from 'node:util';
import type { CorpusOptions } from './run.ts';

export interface CommandOptions extends CorpusOptions {
  readonly json: boolean;
  /** False if the recall is not measured. */
  readonly oracle: boolean;
  /** Folder for the generated worlds as JSON files; null if they are not written. */
  readonly write: string | null;
  /** World files to measure instead of generated worlds. */
  readonly files: readonly string[];
}

export const USAGE = `Usage: npm run corpus -- [options] [world.json …]

Measures the matcher on labelled worlds. Exits with 1 if a confirmed match is wrong.

  --quick          16 worlds with 300 lines each, a few seconds
  --worlds N       number of worlds (default 40)
  --lines N        approximate number of lines per world (default 3000)
  --seed N         seed of the first world (default 1); the next worlds use the next seeds
  --no-oracle      do not measure recall, which takes most of the time
  --json           print the report as JSON
  --write FOLDER   also write each world as a JSON file
`;

/** Reads the command line. Throws RangeError or TypeError for invalid options. */
export function readOptions(args: readonly string[]): CommandOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      worlds: { type: 'string' },
      lines: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'boolean', default: false },
      'no-oracle': { type: 'boolean', default: false },
      write: { type: 'string' },
    },
  });
  const defaults = values.quick ? quickRun : standardRun;
  return {
    worlds: readCount('worlds', values.worlds, defaults.worlds),
    lines: readCount('lines', values.lines, defaults.lines),
    seed: readCount('seed', values.seed, defaults.seed),
    json: values.json,
    oracle: !values['no-oracle'],
    write: values.write ?? null,
    files: positionals,
  };
}

export const quickRun: CorpusOptions = { worlds: 16, lines: 300, seed: 1 };
const standardRun: CorpusOptions = { worlds: 40, lines: 3000, seed: 1 };

function readCount(name: string, text: string | undefined, fallback: number): number {
  const count = text === undefined ? fallback : Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new RangeError(`Enter a positive integer for --${name}.`);
}
