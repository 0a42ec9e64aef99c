import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './measure.ts';
import { fullSizes, qualityBars } from './quality-bars.ts';
import { formatReport, judgeBars } from './report.ts';

/**
 * `npm run bench [-- name …]` runs all benchmarks or the named ones in sequence. Each prints one JSON line per measure,
 * with its baseline from the same run. With `--report`, a table of all quality bars follows, and the exit code is 1 if a
 * measured bar is missed. With `--full`, the benchmarks run at the sizes that the bars name. The first failure ends the
 * run.
 */
const ALL = [
  'start',
  'window-start',
  'decode',
  'browse',
  'sync',
  'tieout',
  'check',
  'bank-import',
  'match',
  'match-app',
  'outages',
  'replay',
  'local-delivery',
  'export',
  'pack',
  'workpaper',
  'pdf',
  'review',
];

const options = process.argv.slice(2);
const named = options.filter((option) => !option.startsWith('--'));
const measures: Measurement[] = [];

for (const name of named.length > 0 ? named : ALL) {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  if (!existsSync(file)) {
    process.stderr.write(`There is no benchmark "${name}". There are: ${ALL.join(', ')}.\n`);
    process.exit(2);
  }
  const sizes = (options.includes('--full') ? fullSizes[name] : undefined) ?? [[]];
  for (const args of sizes) await runBenchmark(file, args);
}

if (options.includes('--report')) {
  const results = judgeBars(qualityBars, measures);
  process.stdout.write(`\n${formatReport(results)}`);
  if (results.some(({ worst, isMet }) => worst !== null && !isMet)) process.exitCode = 1;
}

/** Runs a benchmark, prints its output and collects its measures. */
async function runBenchmark(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['inherit', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    if (line.startsWith('{')) measures.push(JSON.parse(line) as Measurement);
  }
  const [status] = (await exited) as [number | null];
  if (status !== 0) process.exit(status ?? 1);
}
