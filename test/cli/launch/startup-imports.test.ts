import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { buildAppWindow } from '../../../src/cli/launch/app-build.ts';
import { appRoot } from '../../../src/cli/runtime/app-paths.ts';
import { addSite, SITE } from '../../backend/bank/bank-bench.ts';
import { temporaryFolder } from '../run-tieout.ts';

/** A fast command loads few modules. `npm run bench -- start` measures the resulting time. */
beforeAll(async () => {
  await buildAppWindow(() => undefined);
});

interface Loaded {
  readonly files: readonly string[];
  /** Names of Node's built-in modules. */
  readonly builtIn: readonly string[];
}

function loadedBy(...args: string[]): Loaded {
  const home = temporaryFolder();
  addSite(home);
  for (const kind of ['cache', 'books'] as const)
    closeStore(openStore(join(home, 'sites', SITE, `${kind}.db`), kind));
  const loaded = fileURLToPath(new URL('./log-loaded-modules.cjs', import.meta.url));
  const cli = join(appRoot, 'out', 'main', 'cli.js');
  const { output, status } = spawnSync(process.execPath, ['--require', loaded, cli, ...args], {
    env: { ...process.env, TIEOUT_HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  expect(status, output[2] ?? '').toBe(0);
  expect(output[1]).toContain('Acme');
  return JSON.parse(output[3] ?? '') as Loaded;
}

const packageOf = (file: string) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1];

test('tieout status loads SQLite but no schemas, keychain, threads or network', () => {
  const { files, builtIn } = loadedBy('status');
  expect(new Set(files.map(packageOf).filter(Boolean))).toEqual(new Set(['better-sqlite3']));
  const code = files.filter((file) => file.endsWith('.js'));
  expect(code.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(450_000);
  for (const heavy of ['crypto', 'worker_threads', 'http', 'tls', 'internal/deps/undici/undici'])
    expect(builtIn, heavy).not.toContain(heavy);
});

test('the measured files are the loaded files', () => {
  const { files, builtIn } = loadedBy('site', 'list');
  expect(files.map(packageOf)).toContain('@napi-rs/keyring');
  expect(builtIn).toContain('worker_threads');
});
