import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findElectronPackage, findElectronProgram, type ProcessEnvironment } from './electron-program.ts';

/** The parts of the user's system on which Electron depends. */
export interface ElectronEnvironment {
  readonly env: ProcessEnvironment;
  readonly platform: NodeJS.Platform;
  /** True if the process runs as root. */
  readonly root: boolean;
}

/** Returns the reason why this computer cannot run Electron, before the download. Null if there is none. */
export function findElectronObstacle({ env, platform, root }: ElectronEnvironment): string | null {
  const isUnix = platform !== 'win32' && platform !== 'darwin';
  if (isUnix && !(env['DISPLAY'] || env['WAYLAND_DISPLAY'])) return 'no display is available';
  if (isUnix && root) return 'Electron does not run as root';
  if (findElectronPackage() === null) return 'Electron is not installed';
  const program = findElectronProgram(env);
  if (env['ELECTRON_OVERRIDE_DIST_PATH'] && !program)
    return 'ELECTRON_OVERRIDE_DIST_PATH contains no Electron';
  if (env['ELECTRON_SKIP_BINARY_DOWNLOAD'] && !program) return 'its download is disabled';
  return null;
}

/** Functions that read facts about the program and the system. Tests replace them. */
export interface SystemInspector {
  canExecute(path: string): boolean;
  /** Returns the owner and mode of a file, or null if it does not exist. */
  stat(path: string): { readonly uid: number; readonly mode: number } | null;
  /** Returns the text of a kernel setting, or null if the kernel does not have the setting. */
  readSetting(path: string): string | null;
  /** Returns the output of `ldd`, which lists a program's shared libraries. Empty if `ldd` cannot run. */
  listLibraries(program: string): string;
}

/** Returns the reason why the downloaded program cannot start on this Linux system. Null if none is known. */
export function findProgramObstacle(
  program: string,
  platform: NodeJS.Platform,
  facts: SystemInspector = systemFacts,
): string | null {
  if (platform === 'win32') return null;
  if (!facts.canExecute(program)) {
    return `${program} cannot be executed; its folder may be mounted with noexec`;
  }
  if (platform !== 'linux') return null;
  const missing = [...facts.listLibraries(program).matchAll(/^\s*(\S+) => not found/gm)].map(
    ([, name]) => name,
  );
  if (missing.length > 0) {
    return `shared libraries are missing: ${missing.join(', ')}. Install them with the system’s package manager`;
  }
  return findSandboxObstacle(program, facts);
}

const NAMESPACE_SETTINGS: readonly [path: string, blockedValue: string][] = [
  // Setting of Ubuntu 23.10 and later.
  ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'],
  // Setting of Debian's kernels.
  ['/proc/sys/kernel/unprivileged_userns_clone', '0'],
  ['/proc/sys/user/max_user_namespaces', '0'],
];

/** Chromium's sandbox needs unprivileged user namespaces, or a helper program that is owned by root and setuid. */
function findSandboxObstacle(program: string, facts: SystemInspector): string | null {
  const blocked = NAMESPACE_SETTINGS.find(([path, value]) => facts.readSetting(path)?.trim() === value);
  if (!blocked) return null;
  const helper = join(dirname(program), 'chrome-sandbox');
  const stats = facts.stat(helper);
  const isSetuidRoot = stats !== null && stats.uid === 0 && (stats.mode & 0o4111) === 0o4111;
  if (isSetuidRoot) return null;
  return (
    `this system blocks Chromium’s sandbox (${blocked[0]} is ${blocked[1]}). ` +
    `To allow it, run: sudo chown root:root "${helper}" && sudo chmod 4755 "${helper}"`
  );
}

const systemFacts: SystemInspector = {
  canExecute: (path) => attempt(() => accessSync(path, constants.X_OK)) !== null,
  stat: (path) => attempt(() => statSync(path)),
  readSetting: (path) => attempt(() => readFileSync(path, 'utf8')),
  listLibraries: (program) => spawnSync('ldd', [program], { encoding: 'utf8', timeout: 5_000 }).stdout ?? '',
};

/** Returns the result of `read`, or null if it throws. */
function attempt<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}
