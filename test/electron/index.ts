/* biome-ignore-all lint/suspicious/noConsole: a command that speaks to a person */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildAppWindow } from '../../src/cli/launch/app-build.ts';
import { findElectronObstacle, findProgramObstacle } from '../../src/cli/launch/electron-obstacles.ts';
import { findElectronProgram } from '../../src/cli/launch/electron-program.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { findOnPath } from '../tools.ts';
import { packagedProgram } from './packaged.ts';

/**
 * `npm run test:electron [-- --required] [file …]` tests the built app in the real Electron. If Electron or the packaged app
 * is not available, prints the reason and does not test it. The exit code is then 0, or 1 with `--required`, which the CI
 * workflow sets. Electron is downloaded by the first `npm start`, never by a test.
 */
const { env, platform } = process;
const isRequired = process.argv.includes('--required');
const files = process.argv.slice(2).filter((argument) => argument !== '--required');
/** Starts a virtual display if there is none. */
const screen = env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? null : findOnPath('xvfb-run');
const system = { env: screen ? { ...env, DISPLAY: ':0' } : env, platform, root: process.getuid?.() === 0 };
const electron = findElectronProgram(env);
const reason = electron
  ? (findElectronObstacle(system) ?? findProgramObstacle(electron, platform))
  : 'Electron is not downloaded yet. Download it with npm start';

const hasPackagedApp = packagedProgram() !== null;
const NOT_PACKAGED =
  'The packaged app is not tested, because it does not exist. Build it with npm run package.';

if (reason !== null) {
  console.log(`Not run in Electron: ${reason}.`);
  process.exitCode = isRequired ? 1 : 0;
} else if (isRequired && !hasPackagedApp) {
  console.log(`${NOT_PACKAGED} It is required.`);
  process.exitCode = 1;
} else {
  await buildAppWindow(console.log);
  if (!hasPackagedApp) console.log(NOT_PACKAGED);
  const config = fileURLToPath(new URL('./vitest.config.ts', import.meta.url));
  const tests = ['test/keyring.ts', 'vitest', 'run', '-c', config, ...files];
  const [program = '', ...args] = [...(screen ? [screen, '-a'] : []), process.execPath, ...tests];
  process.exitCode = spawnSync(program, args, { cwd: appRoot, stdio: 'inherit' }).status ?? 1;
}
