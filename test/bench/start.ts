import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { buildAppWindow } from '../../src/cli/launch/app-build.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { addSite, SITE } from '../backend/bank/bank-bench.ts';
import { fillCheckedSite } from './checked-site.ts';
import { getRelativeSpread, getShortestTime, reportMeasurement } from './measure.ts';

/**
 * Measures the built command line from start to end on a filled site, alternating with an empty Node process: `node
 * test/bench/start.ts [statements]`. CPU time is hardly affected by other load. Wall time needs an idle machine.
 */
const STATEMENTS = Number(process.argv[2] ?? 20_000);
const TURNS = 15;

const cli = join(appRoot, 'out', 'main', 'cli.js');
const ownTime = fileURLToPath(new URL('./own-time.cjs', import.meta.url));

/** Measured programs and their baseline. */
const programs = {
  'node -e 0': ['-e', '0'],
  'tieout --version': [cli, '--version'],
  'tieout status': [cli, 'status'],
  'tieout status --json': [cli, 'status', '--json'],
  'tieout webhooks list': [cli, 'webhooks', 'list'],
} as const;
const names = Object.keys(programs) as (keyof typeof programs)[];

interface StartTime {
  /** Unit: ms. */
  readonly cpu: number;
  readonly clock: number;
}

const home = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const env = { ...process.env, TIEOUT_HOME: home, TIEOUT_API_KEY: 'a-key-of-the-bench' };

function run(args: readonly string[]): StartTime {
  const before = performance.now();
  const { output, status, stderr } = spawnSync(process.execPath, ['--require', ownTime, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const clock = performance.now() - before;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { cpu: Number(output[3]) / 1000, clock };
}

try {
  await buildAppWindow((line) => void process.stderr.write(`${line}\n`));
  addSite(home);
  for (const kind of ['books', 'cache'] as const) {
    const store = openStore(join(home, 'sites', SITE, `${kind}.db`), kind);
    if (kind === 'cache') fillCheckedSite(store, STATEMENTS);
    closeStore(store);
  }
  const measureStart = new Map(names.map((name) => [name, [] as StartTime[]]));
  // The first run fills the compile cache and does not count.
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const name of names) {
      const one = run(programs[name]);
      if (turn > 0) measureStart.get(name)?.push(one);
    }
  }
  for (const [by, told] of [
    ['cpu', 'CPU time'],
    ['clock', 'start to end'],
  ] as const) {
    const of = (name: keyof typeof programs) => (measureStart.get(name) ?? []).map((one) => one[by]);
    const nothing = getShortestTime(of('node -e 0'));
    for (const name of names.slice(1)) {
      reportMeasurement(
        `${name}, ${told}`,
        'ms',
        getShortestTime(of(name)),
        nothing,
        TURNS,
        getRelativeSpread(of(name)),
      );
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
