import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

/**
 * Environment variables that a program may need. Others, which may contain secrets, are not passed on. The threads of the
 * window have no environment, so programs started there receive none of these.
 */
const PASSED_VARIABLES = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'DISPLAY', 'WAYLAND_DISPLAY'],
  ...['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SystemRoot', 'TEMP', 'USERPROFILE', 'APPDATA'],
];

/**
 * Runs a program without a shell and without arguments. The document is its standard input as JSON, and `variables` are
 * added to its environment. Returns the reason for a failure, or null if the program exited with 0 within `timeoutMs`
 * milliseconds.
 */
export function runCommandHook(
  path: string,
  document: object,
  { variables, timeoutMs }: { variables: Readonly<Record<string, string>>; timeoutMs: number },
): Promise<string | null> {
  const passed = PASSED_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const canKillGroup = process.platform !== 'win32';
  return new Promise((resolve) => {
    const child = spawn(path, [], {
      shell: false,
      cwd: dirname(path),
      env: { ...Object.fromEntries(passed), ...variables },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: canKillGroup,
      windowsHide: true,
    });
    const kill = () => {
      try {
        if (canKillGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // The program has just ended.
      }
    };
    const timer = setTimeout(() => {
      kill();
      resolve(`The program did not end within ${Math.round(timeoutMs / 1000)} seconds`);
    }, timeoutMs);
    const end = (error: string | null) => {
      clearTimeout(timer);
      resolve(error);
    };
    child.on('error', (error: NodeJS.ErrnoException) => end(`The program cannot be started (${error.code})`));
    child.on('exit', (code, signal) => end(code === 0 ? null : `The program ended with ${signal ?? code}`));
    // A program may end without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(document)}\n`);
  });
}
