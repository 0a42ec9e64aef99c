import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';

/**
 * Environment variables that a program may need. Others, which may contain secrets, are not passed on. The threads of the
 * window have no environment, so programs started there receive none of these.
 */
const PASSED_VARIABLES = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'DISPLAY', 'WAYLAND_DISPLAY'],
  ...['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SystemRoot', 'TEMP', 'USERPROFILE', 'APPDATA'],
];
const canKillGroup = process.platform !== 'win32';

/**
 * Runs a program without a shell and without arguments. The document is its standard input as JSON, and `variables` are
 * added to its environment. Returns the reason for a failure, or null if the program exited with 0 within `timeoutMs`
 * milliseconds.
 */
export async function runCommandHook(
  path: string,
  document: object,
  { variables, timeoutMs }: { variables: Readonly<Record<string, string>>; timeoutMs: number },
): Promise<string | null> {
  let child: ReturnType<typeof startProgram>;
  try {
    child = startProgram(path, variables);
  } catch (error) {
    // Node throws some errors of the system and emits others.
    return describeStartError(error as NodeJS.ErrnoException);
  }
  return await new Promise((resolve) => {
    const timer = setTimeout(() => {
      killProgram(child);
      resolve(`The program did not end within ${Math.round(timeoutMs / 1000)} seconds`);
    }, timeoutMs);
    const end = (error: string | null) => {
      clearTimeout(timer);
      resolve(error);
    };
    child.on('error', (error) => end(describeStartError(error)));
    child.on('exit', (code, signal) => end(code === 0 ? null : `The program ended with ${signal ?? code}`));
    // A program may end without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(document)}\n`);
  });
}

function startProgram(path: string, variables: Readonly<Record<string, string>>) {
  const passed = PASSED_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return spawn(path, [], {
    shell: false,
    cwd: dirname(path),
    env: { ...Object.fromEntries(passed), ...variables },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: canKillGroup,
    windowsHide: true,
  });
}

/** Kills a program with its children, as far as the system allows. */
function killProgram(child: ChildProcess): void {
  try {
    if (canKillGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // The program has just ended.
  }
}

const describeStartError = ({ code }: NodeJS.ErrnoException) => `The program cannot be started (${code})`;
