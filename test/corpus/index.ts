import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateWorld } from './generators/index.ts';
import type { World } from './model/world.ts';
import { readWorld, writeWorld } from './model/world-json.ts';
import { type CommandOptions, readOptions, USAGE } from './options.ts';
import { findAnswerable } from './oracle/index.ts';
import { formatJson, formatReport } from './report/print.ts';
import { answerNothing, CorpusRun } from './run.ts';

const WORLDS_PER_PROGRESS_LINE = 100;

/** `npm run corpus` measures the matcher on labelled worlds. Exits with 1 if a confirmed match is wrong. */
function main(): number {
  const options = parseOptions();
  if (options === null) return 2;
  const run = new CorpusRun(options.oracle ? findAnswerable : answerNothing);
  const started = performance.now();
  let done = 0;
  for (const world of listWorlds(options)) {
    if (options.write !== null) writeWorldFile(options.write, world);
    run.add(world);
    done += 1;
    if (done % WORLDS_PER_PROGRESS_LINE === 0) printProgress(done, started);
  }
  const result = run.result();
  process.stdout.write(`${options.json ? formatJson(options, result) : formatReport(result)}\n`);
  return result.wrongLines === 0 ? 0 : 1;
}

function parseOptions(): CommandOptions | null {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return null;
  }
}

/** Creates one world at a time, so that memory stays flat. */
function* listWorlds({ files, worlds, lines, seed }: CommandOptions): Generator<World> {
  for (const file of files) yield readWorld(readFileSync(file, 'utf8'));
  if (files.length > 0) return;
  for (let n = 0; n < worlds; n++) yield generateWorld(seed + n, lines);
}

function writeWorldFile(folder: string, world: World): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${world.generator}-${world.seed}.json`), writeWorld(world));
}

function printProgress(done: number, started: number): void {
  const seconds = Math.round((performance.now() - started) / 1000);
  const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
  process.stderr.write(`${done} worlds, ${seconds} s, ${megabytes} MB\n`);
}

process.exitCode = main();
