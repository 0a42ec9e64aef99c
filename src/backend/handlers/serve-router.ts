import type { MessagePort } from 'node:worker_threads';
import { mapEventIterator } from '@orpc/client';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { type BackendLink, createClosableLink, isStream } from '../../contract/index.ts';
import type { ShellLog } from '../shared/backend-start-options.ts';
import { toContractError } from './contract-errors.ts';
import { createInProcessLink, findProcedure } from './in-process-link.ts';

/** Procedures of the contract, served to callers in this and other threads. */
export interface ServedRouter {
  /** Serves the procedures on a message port until the port closes. */
  serve(port: MessagePort): void;
  /** Calls the procedures from this process. Values are copied as between threads. */
  readonly link: BackendLink;
  /** Returns true if the procedure at a path is one of these. */
  hasProcedure(path: readonly string[]): Promise<boolean>;
  /** Closes all ports. Running calls reject, and their handlers are aborted. */
  close(): void;
}

/** Serves procedures in this process and on message ports. Thrown values are converted to contract errors. */
export function serveRouter(router: AnyRouter, log: ShellLog): ServedRouter {
  const ports = new Set<MessagePort>();
  const closeController = new AbortController();
  const clientInterceptors = [
    async ({ next, path }: { next: () => Promise<unknown>; path: readonly string[] }) => {
      const toError = (thrown: unknown) => toContractError(thrown, path, log);
      try {
        const output = await next();
        if (!isStream(output)) return output;
        return mapEventIterator(output, {
          value: async (value: unknown) => value,
          error: async (thrown) => toError(thrown),
        });
      } catch (thrown) {
        throw toError(thrown);
      }
    },
  ];
  const handler = new RPCHandler(router, { clientInterceptors });
  return {
    serve(port) {
      ports.add(port);
      port.on('close', () => ports.delete(port));
      handler.upgrade(port);
      port.start();
    },
    link: createClosableLink(
      createInProcessLink(router, clientInterceptors, closeController.signal),
      closeController.signal,
    ),
    hasProcedure: async (path) => (await findProcedure(router, path)) !== null,
    close() {
      closeController.abort();
      for (const port of ports) port.close();
    },
  };
}
