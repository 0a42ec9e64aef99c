import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { Backend, BackendStartOptions, ShellClient, ShellLog } from './shared/backend-start-options.ts';

/** Start data that the shell passes to a worker thread. */
interface ThreadData {
  home: string;
  version: string;
  logLevel: string;
  user?: string;
  /** Port on which the shell serves its functions. */
  shellPort: MessagePort;
}

/** Messages from the shell to a worker thread. */
type ThreadMessage = { type: 'connect'; port: MessagePort } | { type: 'close' };

const levels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** Runs the reader or the writer in a worker thread. Serves message ports until the shell requests it to close. */
export function runBackendThread(open: (start: BackendStartOptions) => Backend): void {
  if (parentPort === null) throw new Error('This file runs only as a worker thread.');
  const shell = parentPort;
  const { home, version, logLevel, user, shellPort } = workerData as ThreadData;

  const minLevel = levels.indexOf(logLevel);
  const log: ShellLog = (record) => {
    if (levels.indexOf(record.level) >= minLevel) shell.postMessage({ type: 'log', record });
  };
  // A frame that is not an oRPC message causes an unhandled rejection, which must not end the thread.
  process.on('unhandledRejection', (reason) => {
    const text = reason instanceof Error ? reason.stack : String(reason);
    log({ level: 'error', msg: 'An unexpected error occurred in a background task.', reason: text });
  });

  const client: ShellClient = createORPCClient(new RPCLink({ port: shellPort }));
  shellPort.start();
  const backend = open({
    home,
    version,
    shell: client,
    log,
    user,
    servesPages: true,
    reportMigration: (progress) => shell.postMessage({ type: 'migration', progress }),
  });

  shell.on('message', async (message: ThreadMessage) => {
    if (message.type === 'connect') backend.serve(message.port);
    if (message.type === 'close') {
      await backend.close();
      shell.postMessage({ type: 'closed' });
      shellPort.close();
      shell.close();
    }
  });
  shell.postMessage({ type: 'ready' });
}
