/* biome-ignore-all lint/suspicious/noConsole: prints messages for the person who runs the command */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * `node test/keyring.ts <command…>` runs a command with its own real, unlocked and empty keychain. On Linux it starts a
 * D-Bus session with gnome-keyring in a temporary home, so that no test uses the user's keychain. On other systems it
 * only runs the command.
 */
const SECRETS = 'org.freedesktop.secrets';
const BUS = ['org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus'] as const;
const SERVICE = [SECRETS, '/org/freedesktop/secrets', 'org.freedesktop.Secret.Service'] as const;
const INSIDE = '--inside';
const currentFile = fileURLToPath(import.meta.url);

async function finished(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

function run(command: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [program = '', ...args] = command;
  const shell = process.platform === 'win32';
  return finished(spawn(program, args, { stdio: 'inherit', env, shell }));
}

/** Creates a home with the folders that gnome-keyring and Chromium expect. */
function temporaryHome() {
  const home = mkdtempSync(join(tmpdir(), 'tieout-test-home-'));
  for (const folder of ['.cache', '.local/share', '.config', 'run']) {
    mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  }
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, XDG_RUNTIME_DIR: join(home, 'run') };
  for (const name of ['XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME']) delete env[name];
  const browsers = join(homedir(), '.cache', 'ms-playwright');
  if (existsSync(browsers)) env['PLAYWRIGHT_BROWSERS_PATH'] ??= browsers;
  return { home, env };
}

async function runInKeychainSession(command: readonly string[]): Promise<number> {
  const { home, env } = temporaryHome();
  try {
    return await run(['dbus-run-session', '--', process.execPath, currentFile, INSIDE, ...command], env);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runInsideSession(command: readonly string[]): Promise<number> {
  const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const gone = once(daemon, 'exit');
  daemon.stdin.end('test');
  try {
    await waitForDefaultCollection();
    return await run(command, process.env);
  } finally {
    daemon.kill();
    await gone;
  }
}

/**
 * Asks the bus whether the service is running first, because a call to a missing service would start a second, locked
 * one.
 */
async function waitForDefaultCollection(): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (dbus(BUS, 'NameHasOwner', SECRETS).includes('boolean true')) {
      if (dbus(SERVICE, 'ReadAlias', 'default').includes('/org/freedesktop/secrets/collection/')) return;
    }
    await setTimeout(50);
  }
  throw new Error('The Secret Service did not start. Check that gnome-keyring-daemon can run.');
}

function dbus(to: readonly [name: string, path: string, face: string], method: string, argument: string) {
  const [name, path, face] = to;
  const call = [
    '--session',
    '--print-reply',
    `--dest=${name}`,
    path,
    `${face}.${method}`,
    `string:${argument}`,
  ];
  return spawnSync('dbus-send', call, { encoding: 'utf8' }).stdout ?? '';
}

// Most tests start processes that load the same modules. The cache saves a quarter of the CPU time of a command.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('../node_modules/.cache/test-compile-cache', import.meta.url),
);

// The command also receives Ctrl-C. The cleanup here runs after it has ended.
process.on('SIGINT', () => undefined);

const [first, ...rest] = process.argv.slice(2);
if (!first) {
  console.error('Usage: node test/keyring.ts <command> [arguments]');
  process.exitCode = 2;
} else if (process.platform !== 'linux') {
  process.exitCode = await run([first, ...rest], process.env);
} else {
  process.exitCode =
    first === INSIDE ? await runInsideSession(rest) : await runInKeychainSession([first, ...rest]);
}
