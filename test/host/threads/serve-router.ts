import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import type { Site } from '../../../src/contract/index.ts';
import type { ShellClient } from '../../../src/host/shell-server.ts';

/**
 * Implements the protocol of the backend threads for a small router. Its sites are in one file that both threads read.
 */
interface ThreadData {
  home: string;
  version: string;
  shellPort: MessagePort;
}
const threadData = workerData as ThreadData;

export const { home, version } = threadData;
export const shell: ShellClient = createORPCClient(new RPCLink({ port: threadData.shellPort }));
threadData.shellPort.start();

export function log(msg: string, fields: Record<string, unknown> = {}): void {
  parentPort?.postMessage({ type: 'log', record: { level: 'info', msg, ...fields } });
}

const sitesFile = join(home, 'sites.json');

export function readSites(): Site[] {
  try {
    return JSON.parse(readFileSync(sitesFile, 'utf8')) as Site[];
  } catch {
    return [];
  }
}

export function writeSites(sites: Site[]): void {
  writeFileSync(sitesFile, JSON.stringify(sites));
}

export function serveRouter(router: AnyRouter): void {
  const handler = new RPCHandler(router);
  parentPort?.on('message', (message: { type: string; port?: MessagePort }) => {
    if (message.type === 'connect' && message.port) {
      handler.upgrade(message.port);
      message.port.start();
    }
    if (message.type === 'close') {
      parentPort?.postMessage({ type: 'closed' });
      process.exit(0);
    }
  });
  // A frame that is not an oRPC message causes an unhandled rejection.
  process.on('unhandledRejection', (reason) => log('unheard', { reason: String(reason) }));
  parentPort?.postMessage({ type: 'ready' });
}
