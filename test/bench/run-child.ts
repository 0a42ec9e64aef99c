import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script in a separate process and returns its JSON output, so that memory and CPU time include nothing else. The
 * bench ends if it fails. `module` is the script's `import.meta.url`.
 */
export function runChild<Output>(
  module: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Output {
  const { status, stdout } = spawnSync(process.execPath, [...flags, fileURLToPath(module), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(stdout) as Output;
}

/** With these flags, garbage is collected as early as in the app's threads. */
export const BACKEND_THREAD_FLAGS = ['--max-semi-space-size=5', '--heap-growing-percent=30'];

/** Runs `unzip -t` on a ZIP file. @throws its error message. */
export function verifyZip(zip: string): void {
  const { status, stdout, stderr } = spawnSync('unzip', ['-tqq', zip], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`unzip -t: ${status} ${stderr} ${stdout.slice(-2000)}`);
}
