import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { appRoot } from '../../../src/cli/runtime/app-paths.ts';
import { addSite, SITE } from '../../backend/bank/bank-bench.ts';
import { temporaryFolder } from '../run-tieout.ts';

/** Modules that a command has loaded. `npm run bench -- start` measures the resulting startup time. */
interface LoadedModules {
  readonly files: readonly string[];
  /** Names of Node's built-in modules. */
  readonly builtIn: readonly string[];
}

function listLoadedModules(...args: string[]): LoadedModules {
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
  return JSON.parse(output[3] ?? '') as LoadedModules;
}

const getPackageName = (file: string) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1];

test('tieout status loads SQLite but no schemas, keychain, threads or network', () => {
  const { files, builtIn } = listLoadedModules('status');
  expect(new Set(files.map(getPackageName).filter(Boolean))).toEqual(new Set(['better-sqlite3']));
  const code = files.filter((file) => file.endsWith('.js'));
  expect(code.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(450_000);
  for (const heavyPackages of ['crypto', 'worker_threads', 'http', 'tls', 'internal/deps/undici/undici'])
    expect(builtIn, heavyPackages).not.toContain(heavyPackages);
});

test('tieout site list loads no HTTP library and only the part of the contract that it uses', () => {
  const { files } = listLoadedModules('site', 'list');
  expect(files.map(getPackageName)).not.toContain('undici');
  const code = files.filter((file) => file.endsWith('.js')).map((file) => readFileSync(file, 'utf8'));
  const declares = (group: string) => code.some((text) => text.includes(`${group}Procedures = {`));
  expect(declares('site')).toBe(true);
  for (const group of ['replay', 'period', 'report', 'allocation', 'match'])
    expect(declares(group), group).toBe(false);
});

test('every loaded file is measured', () => {
  const { files, builtIn } = listLoadedModules('site', 'list');
  expect(files.map(getPackageName)).toContain('@napi-rs/keyring');
  expect(builtIn).toContain('crypto');
});
