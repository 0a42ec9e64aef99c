import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { buildAppWindow } from '../../src/cli/launch/app-build.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { createTemporaryFolder } from '../host/test-host.ts';
import { digestFiles } from './build-copy.ts';

/**
 * Long test, run with `TIEOUT_LONG=1`. The builder packages the complete app around a fake Electron program that contains
 * only fuses. Node then runs the packaged app outside the checkout with a test double of Electron.
 */
const isLongRun = process.env['TIEOUT_LONG'] !== undefined && process.platform === 'linux';
const run = promisify(execFile);
const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const load = createRequire(builder.resolve('app-builder-lib/package.json'));

interface Archives {
  createPackage(folder: string, archive: string): Promise<void>;
  extractAll(archive: string, folder: string): void;
}
interface Fuses {
  getCurrentFuseWire(program: string): Promise<Readonly<Record<string, unknown>>>;
}

/** Creates a folder like a downloaded Electron, with all fuses set to the opposite of the configured state. */
async function createFakeElectron(folder: string): Promise<string> {
  const resources = join(folder, 'electron', 'resources');
  mkdirSync(resources, { recursive: true });
  mkdirSync(join(folder, 'default'));
  writeFileSync(join(folder, 'default', 'main.js'), '');
  const archives = load('@electron/asar') as Archives;
  await archives.createPackage(join(folder, 'default'), join(resources, 'default_app.asar'));
  const fuses = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX${String.fromCharCode(1, 8)}10110001`;
  writeFileSync(join(folder, 'electron', 'electron'), `#!/bin/sh\n# ${fuses}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'electron', 'LICENSE'), '');
  return join(folder, 'electron');
}

/** Packages this checkout around the fake Electron as `npm run package` does. Returns the output folder. */
async function packageApp(folder: string, extraArgs: readonly string[], env = process.env): Promise<string> {
  const made = join(folder, 'dist');
  await run(
    process.execPath,
    [
      builder.resolve('electron-builder/cli.js'),
      ...['--config', 'resources/electron-builder.yml', '--linux', ...extraArgs],
      ...[`-c.electronDist=${await createFakeElectron(folder)}`, `-c.directories.output=${made}`],
    ],
    { cwd: appRoot, env },
  );
  return made;
}

test.runIf(isLongRun)(
  'the packaged app starts, opens its window, answers calls and ends',
  async () => {
    await buildAppWindow(() => undefined);
    const folder = createTemporaryFolder();
    const made = await packageApp(folder, ['dir']);
    const program = join(made, 'linux-unpacked');
    const { getCurrentFuseWire } = load('@electron/fuses') as Fuses;
    const wire = await getCurrentFuseWire(join(program, 'tieout-desktop'));
    const fuseStates = Array.from({ length: 8 }, (_, fuse) => String.fromCharCode(Number(wire[fuse])));
    expect(fuseStates.join('')).toBe('01001100');

    const app = join(folder, 'app');
    (load('@electron/asar') as Archives).extractAll(join(program, 'resources', 'app.asar'), app);
    expect(existsSync(join(app, 'LICENSE'))).toBe(true);
    // Measured 43 MB. Unused builds of libraries would add tens of MB unnoticed.
    const { size } = statSync(join(program, 'resources', 'app.asar'));
    expect(size).toBeLessThan(48_000_000);
    expect(readFileSync(join(program, 'tieout'), 'utf8')).toContain('tieout-desktop');
    const env = { ...process.env, TIEOUT_HOME: join(folder, 'home'), TIEOUT_API_KEY: '' };
    const cli = (...args: string[]) =>
      run(process.execPath, [join(app, 'out', 'main', 'cli.js'), ...args], { env });
    expect((await cli('demo', '--headless', '--quiet')).stdout).toContain('All steps succeeded.');
    expect((await cli('status')).stdout).toContain('webhooks');

    const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
    const main = join(app, 'out', 'main', 'index.js');
    const args = ['--import', at('../doubles/register.ts'), at('./run-main-process.ts'), main];
    const { stdout } = await run(process.execPath, args, { env });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      sites: [{ site: 'demo', demo: true }],
      page: { status: 200 },
      exit: 0,
      linksEnded: true,
    });
  },
  240_000,
);

test.runIf(isLongRun)(
  'two packages of the same build are equal in every byte',
  async () => {
    await buildAppWindow(() => undefined);
    const [first, second] = [createTemporaryFolder(), createTemporaryFolder()];
    const packages = [await packageApp(first, ['dir']), await packageApp(second, ['dir'])];
    const [digests = {}, ...others] = packages.map((made) => digestFiles(join(made, 'linux-unpacked')));
    expect(Object.keys(digests)).toContain('resources/app.asar');
    expect(others).toEqual([digests]);
  },
  480_000,
);

test.runIf(isLongRun)(
  'builds a deb with all required fields once maintainer and homepage are set',
  async () => {
    await buildAppWindow(() => undefined);
    const folder = createTemporaryFolder();
    // Fake of fpm, the tool that creates the deb. It records its arguments and the desktop entry.
    const fpm = join(folder, 'fpm');
    const kept = join(folder, 'told');
    const menu = '*.desktop=/usr/share/applications/*';
    writeFileSync(
      fpm,
      `#!/bin/sh\nfor arg; do\n  echo "$arg"\n  case "$arg" in ${menu}) cat "\${arg%%=*}" ;; esac\ndone > '${kept}'\n`,
      { mode: 0o755 },
    );
    const env = { ...process.env, CUSTOM_FPM_PATH: fpm };
    const maintainer = 'Ada Byron <ada@example.com>';
    const named = [`-c.linux.maintainer=${maintainer}`, '-c.extraMetadata.homepage=https://example.com'];
    await packageApp(folder, ['deb', ...named], env);
    const told = readFileSync(kept, 'utf8');
    for (const [option, value] of [
      ['-t', 'deb'],
      ['--maintainer', maintainer],
      ['--url', 'https://example.com'],
      ['--name', 'tieout'],
      ['--license', 'MIT'],
      ['--category', 'misc'],
      ['--description', 'Proves, matches and replays the records'],
    ])
      expect(told).toContain(`${option}\n${value}`);
    expect(told).toMatch(/^Categories=Office;$/m);
    expect(told).toMatch(/\/=\/opt\/Tieout$/m);
    expect(told).toMatch(/tieout-deb\.sh=\/usr\/bin\/tieout$/m);
    expect(told).toMatch(/^out\/share\/=\/usr\/share\/$/m);
  },
  240_000,
);
