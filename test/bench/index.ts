import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm run bench [-- name …]` runs all benchmarks or the named ones in sequence. Each prints one JSON line per measure,
 * with its baseline from the same run. The first failure ends the run.
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
  'export',
  'pack',
  'workpaper',
  'pdf',
  'review',
];

const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : ALL) {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  if (!existsSync(file)) {
    process.stderr.write(`There is no benchmark "${name}". There are: ${ALL.join(', ')}.\n`);
    process.exit(2);
  }
  const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
