import { buildAppWindow } from './app-build.ts';
import { ensureElectron } from './electron-install.ts';
import { findElectronObstacle, findProgramObstacle, type ShellSystem } from './electron-obstacles.ts';
import { findElectronProgram } from './electron-program.ts';
import { runElectron } from './run-electron.ts';

interface OpenElectronOptions {
  readonly system: ShellSystem;
  /** Variables for the app only: its home and the API key. */
  readonly appEnv: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** True tries the download again although it failed recently. */
  readonly retry: boolean;
  readonly stop: AbortSignal;
  readonly print: (line: string) => void;
}

/**
 * Opens the app in Electron and waits until it ends. Returns the exit code; null if the app must be opened in the browser
 * instead, after printing the reason.
 */
export async function openInElectron(options: OpenElectronOptions): Promise<number | null> {
  const { system, appEnv, args = [], retry, stop, print } = options;
  const { env } = system;
  const chooseBrowser = (reason: string) => {
    print(`Opening in the browser instead of Electron: ${reason}.`);
    return null;
  };
  const obstacle = findElectronObstacle(system) ?? (await ensureElectron({ env, stop, retry }));
  if (stop.aborted) return 0;
  const program = findElectronProgram(env);
  if (obstacle || !program) return chooseBrowser(obstacle ?? 'Electron is not installed');
  const programObstacle = findProgramObstacle(program, system.platform);
  if (programObstacle) return chooseBrowser(programObstacle);
  await buildAppWindow(print);
  const exit = await runElectron({ program, args, env: { ...env, ...appEnv }, stop, print });
  if (stop.aborted || exit.reason === null || exit.reported) return exit.code;
  if (!exit.connected) return chooseBrowser(exit.reason);
  print(`Tieout ended unexpectedly: ${exit.reason}. Stored data is safe. Start Tieout again.`);
  return exit.code;
}
