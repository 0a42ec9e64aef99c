import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import type { Site } from '../../../src/contract/index.ts';
import type { ShellClient } from '../../../src/host/shell-server.ts';

/** Speaks the threads' protocol for a small router that keeps its sites in one file, so that both threads see them. */
interface Given {
  home: string;
  version: string;
  shellPort: MessagePort;
}
const given = workerData as Given;

export const { home, version } = given;
export const shell: ShellClient = createORPCClient(new RPCLink({ port: given.shellPort }));
given.shellPort.start();

export function log(msg: string, fields: Record<string, unknown> = {}): void {
  parentPort?.postMessage({ type: 'log', record: { level: 'info', msg, ...fields } });
}

const file = join(home, 'sites.json');

export function readSites(): Site[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Site[];
  } catch {
    return [];
  }
}

export function writeSites(sites: Site[]): void {
  writeFileSync(file, JSON.stringify(sites));
}

export function serve(router: AnyRouter): void {
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
  // A frame that is no message of oRPC rejects where nobody waits for it.
  process.on('unhandledRejection', (reason) => log('unheard', { reason: String(reason) }));
  parentPort?.postMessage({ type: 'ready' });
}
