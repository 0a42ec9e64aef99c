import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { LauncherMessage } from '../../host/launcher-message.ts';
import { appRoot } from '../runtime/app-paths.ts';
import { createElectronEnvironment, type ProcessEnvironment } from './electron-program.ts';

/** Exit code of the app in Electron, and the reason for an abnormal end. */
export interface ElectronExit {
  /** Exit code for this process. A signal becomes 128 plus its number, as in a shell. */
  readonly code: number;
  /** Reason of an abnormal end, as part of a sentence, for example `it ended with signal SIGSEGV`. Otherwise null. */
  readonly reason: string | null;
  /** True if the page connected to the backend, so that the user had a working window. */
  readonly connected: boolean;
  /** True if the app itself reported a startup error to the user. */
  readonly reported: boolean;
}

/** Milliseconds without a working window after which a hint is printed. Chosen by judgment. */
const HINT_DELAY_MS = 60_000;

/** Runs the built app in Electron until it ends. Also resolves if the program cannot be started. */
export function runElectron(options: {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: ProcessEnvironment;
  /** Ends the app. */
  readonly stop: AbortSignal;
  readonly print: (line: string) => void;
}): Promise<ElectronExit> {
  const { program, args, env, stop, print } = options;
  const child = spawn(program, [appRoot, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: createElectronEnvironment(env),
  });
  const messages = new Set<LauncherMessage>();
  const hint =
    'The desktop window cannot be opened yet. To use the browser instead, run: npm start -- --browser';
  const hintTimer = setTimeout(print, HINT_DELAY_MS, hint);
  child.on('message', (message: LauncherMessage) => {
    messages.add(message);
    clearTimeout(hintTimer);
  });
  const terminate = () => child.kill('SIGTERM');
  stop.addEventListener('abort', terminate, { once: true });
  return new Promise((resolve) => {
    const end = (code: number, reason: string | null) => {
      clearTimeout(hintTimer);
      stop.removeEventListener('abort', terminate);
      resolve({ code, reason, connected: messages.has('connected'), reported: messages.has('failed') });
    };
    child.once('error', (error) => end(1, `it could not be started (${error.message})`));
    child.once('exit', (code, signal) => {
      if (signal) end(128 + (constants.signals[signal] ?? 0), `it ended with signal ${signal}`);
      else end(code ?? 1, code === 0 ? null : `it ended with exit code ${code}`);
    });
  });
}
