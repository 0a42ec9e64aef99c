import { buildAppWindow } from './app-build.ts';
import { ensureElectron } from './electron-install.ts';
import { type ElectronEnvironment, findElectronObstacle, findProgramObstacle } from './electron-obstacles.ts';
import { findElectronProgram } from './electron-program.ts';
import { runElectron } from './run-electron.ts';

interface OpenElectronOptions {
  readonly system: ElectronEnvironment;
  /** Variables passed only to the app: the data directory and the API key. */
  readonly appEnv: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** True to retry the download even after a recent failure. */
  readonly retry: boolean;
  readonly stop: AbortSignal;
  readonly print: (line: string) => void;
}

/** Exit code of the app in Electron, or the reason why Electron could not be used, as part of a sentence. */
export type ElectronOutcome = { readonly code: number } | { readonly code: null; readonly reason: string };

/**
 * Opens the app in Electron and waits until it ends. If the app ends unexpectedly after its page has connected, prints
 * the reason and returns the exit code, because the user had a working window.
 */
export async function openInElectron(options: OpenElectronOptions): Promise<ElectronOutcome> {
  const { system, appEnv, args = [], retry, stop, print } = options;
  const { env } = system;
  const fail = (reason: string) => ({ code: null, reason });
  const obstacle = findElectronObstacle(system) ?? (await ensureElectron({ env, stop, retry }));
  if (stop.aborted) return { code: 0 };
  const program = findElectronProgram(env);
  if (obstacle || !program) return fail(obstacle ?? 'Electron is not installed');
  const programObstacle = findProgramObstacle(program, system.platform);
  if (programObstacle) return fail(programObstacle);
  await buildAppWindow(print);
  const exit = await runElectron({ program, args, env: { ...env, ...appEnv }, stop, print });
  if (stop.aborted || exit.reason === null || exit.reported) return { code: exit.code };
  if (!exit.connected || args.includes('--check')) return fail(exit.reason);
  print(`Tieout ended unexpectedly: ${exit.reason}. Stored data is safe. Start Tieout again.`);
  return { code: exit.code };
}
