import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { readHookEnvironment } from './hook-environment.ts';

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
  return spawn(path, [], {
    shell: false,
    cwd: dirname(path),
    env: { ...readHookEnvironment(), ...variables },
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
