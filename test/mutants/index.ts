/* biome-ignore-all lint/suspicious/noConsole: a command that prints its results */
import { globSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { chance } from '../faults/chance.ts';
import { generateMutants, type Mutant } from './generate-mutants.ts';
import { protections } from './protections.ts';
import { createWorkCopy, type WorkCopy } from './work-copy.ts';

/**
 * `npm run test:mutants` shows that the tests notice errors. It removes each protection of `protections.ts`, and changes a
 * random sample of the code in `src/domain`, one change at a time, and runs the tests that must then fail.
 *
 * --protections N   number of sampled protections (default all); 0 for none
 * --only TEXT       only protections whose name or file contains the text
 * --domain N        number of sampled changes of `src/domain` (default 40); 0 for none
 * --folder FOLDER   only changes in this folder of `src/domain`
 * --seed N          seed of the sample (default: the day)
 *
 * Exits with 1 if a protection can be removed unnoticed, or if fewer than 95% of the sampled changes are noticed.
 */
const { values } = parseArgs({
  options: {
    protections: { type: 'string', default: String(protections.length) },
    only: { type: 'string' },
    domain: { type: 'string', default: '40' },
    folder: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 86_400_000)) },
  },
});
const MIN_KILL_RATE = 0.95;
/** Longest run of the tests of one change. Unchanged, they take less than a minute on an idle computer. */
const TIMEOUT_MS = 300_000;

interface DomainMutant extends Mutant {
  readonly file: string;
}

// Before the copy is made, because a signal without a listener would leave it behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
const copy = createWorkCopy();
process.on('exit', copy.delete);

const unnoticed = await testProtections(copy, Number(values.protections));
const rate = await testDomain(copy, Number(values.domain));
process.exitCode = unnoticed === 0 && rate >= MIN_KILL_RATE ? 0 : 1;

/** Returns the number of protections whose removal no test notices. */
async function testProtections(work: WorkCopy, size: number): Promise<number> {
  const { only } = values;
  const matching = protections.filter(
    ({ name, file }) => only === undefined || `${name} ${file}`.includes(only),
  );
  const chosen = drawSample(matching, size, Number(values.seed));
  let count = 0;
  for (const { name, file, code, without, tests } of chosen) {
    const source = readFileSync(join(appRoot, file), 'utf8');
    const result = await work.test(
      { [file]: source.replace(code, () => without) },
      ['run', ...tests],
      TIMEOUT_MS,
    );
    console.log(`${result}: ${name} (${file})`);
    if (result !== 'killed') count += 1;
  }
  console.log(`${chosen.length - count} of ${chosen.length} removed protections were noticed.`);
  return count;
}

/** Tests a sample of changes. Returns the share that the tests of `test/domain` notice. */
async function testDomain(work: WorkCopy, size: number): Promise<number> {
  const files = globSync(`src/domain/${values.folder}/**/*.ts`, { cwd: appRoot }).sort();
  const all: DomainMutant[] = files.flatMap((file) =>
    generateMutants(readFileSync(join(appRoot, file), 'utf8')).map((mutant) => ({ ...mutant, file })),
  );
  const sample = drawSample(all, size, Number(values.seed));
  if (sample.length === 0) return 1;
  let killed = 0;
  for (const { file, line, before, after, text } of sample) {
    const result = await work.test(
      { [file]: text },
      ['related', file, '--run', '--dir', 'test/domain'],
      TIMEOUT_MS,
    );
    if (result === 'killed') killed += 1;
    else console.log(`${result}: ${file}:${line} ${before} → ${after}`);
  }
  const rate = killed / sample.length;
  console.log(
    `${killed} of ${sample.length} sampled changes of ${all.length} in src/domain were noticed (${Math.round(rate * 100)}%, seed ${values.seed}).`,
  );
  return rate;
}

/** Draws items without repetition. The same seed draws the same items. */
function drawSample<Item>(items: readonly Item[], size: number, seed: number): Item[] {
  const { below } = chance(seed);
  const rest = [...items];
  return Array.from({ length: Math.min(size, rest.length) }, () => rest.splice(below(rest.length), 1)).flat();
}
