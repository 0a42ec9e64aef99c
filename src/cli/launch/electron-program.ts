import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the path of Electron's executable, or null if Electron has not been downloaded. As in the Electron package,
 * `ELECTRON_OVERRIDE_DIST_PATH` names the folder of another build.
 */
export function findElectronProgram(env: ProcessEnvironment): string | null {
  const folder = findElectronPackage();
  if (!folder) return null;
  const pathFile = join(folder, 'path.txt');
  const relativePath = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : null;
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (!override && relativePath === null) return null;
  const program = join(override || join(folder, 'dist'), relativePath || 'electron');
  return existsSync(program) ? program : null;
}

/** Returns the folder of the Electron package without importing it, because an import starts the download. */
export function findElectronPackage(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

/** Variables that only change logging or the display server. All other `ELECTRON_` variables change the program. */
const HARMLESS_VARIABLES: ReadonlySet<string> = new Set([
  'ELECTRON_ENABLE_LOGGING',
  'ELECTRON_ENABLE_STACK_DUMPING',
  'ELECTRON_LOG_FILE',
  'ELECTRON_OZONE_PLATFORM_HINT',
]);

/**
 * Returns the environment for the app in Electron, without variables that would change how the app runs. For example,
 * the terminal of an Electron-based editor sets `ELECTRON_RUN_AS_NODE`, which prevents windows.
 */
export function createElectronEnvironment(env: ProcessEnvironment): Record<string, string | undefined> {
  const isKept = (name: string) =>
    name !== 'NODE_OPTIONS' && (!name.startsWith('ELECTRON_') || HARMLESS_VARIABLES.has(name));
  return Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)));
}
