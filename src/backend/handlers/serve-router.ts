import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { mapEventIterator } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { type BackendLink, createClosableLink } from '../../contract/index.ts';
import type { ShellLog } from '../shared/backend-start-options.ts';
import { toContractError } from './contract-errors.ts';

/** Procedures of the contract, served to callers in this and other threads. */
export interface ServedRouter {
  /** Serves the procedures on a message port until the port closes. */
  serve(port: MessagePort): void;
  /** Calls the procedures from this process through a separate port, so that values are copied as between threads. */
  readonly link: BackendLink;
  /** Closes all ports. Running calls reject, and their handlers are aborted. */
  close(): void;
}

/** Serves procedures on message ports. Anything they throw is converted to a contract error. */
export function serveRouter(router: AnyRouter, log: ShellLog): ServedRouter {
  const ports = new Set<MessagePort>();
  const handler = new RPCHandler(router, {
    clientInterceptors: [
      async ({ next, path }) => {
        const toError = (thrown: unknown) => toContractError(thrown, path, log);
        try {
          const output = await next();
          if (!isIterator(output)) return output;
          return mapEventIterator(output, {
            value: async (value: unknown) => value,
            error: async (thrown) => toError(thrown),
          });
        } catch (thrown) {
          throw toError(thrown);
        }
      },
    ],
  });

  function serve(port: MessagePort): void {
    ports.add(port);
    port.on('close', () => ports.delete(port));
    handler.upgrade(port);
    port.start();
  }

  // The local link is created on its first use, because a backend that serves only other threads does not need it.
  const closeController = new AbortController();
  let localLink: BackendLink | undefined;
  function createLocalLink(): BackendLink {
    const { port1, port2 } = new MessageChannel();
    serve(port2);
    const link = new RPCLink({ port: port1 });
    port1.start();
    return link;
  }

  return {
    serve,
    link: createClosableLink(
      {
        call(path, input, options) {
          localLink ??= createLocalLink();
          return localLink.call(path, input, options);
        },
      },
      closeController.signal,
    ),
    close() {
      closeController.abort();
      for (const port of ports) port.close();
    },
  };
}

function isIterator(output: unknown): output is AsyncIterator<unknown, unknown, unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}
