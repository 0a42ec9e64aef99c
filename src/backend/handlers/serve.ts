import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { mapEventIterator } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { endingLink, type Link } from '../../contract/index.ts';
import type { ShellLog } from '../shared/start-options.ts';
import { asContractError } from './failures.ts';

/** Procedures of the contract being served. */
export interface Served {
  /** Serves them on a port until it closes. */
  serve(port: MessagePort): void;
  /** For callers in this process. Uses a port of its own, so that values are copied as they are between threads. */
  readonly link: Link;
  /** Closes every port. Running calls reject, and their handlers' signals abort. */
  close(): void;
}

/** Serves procedures on ports. Anything they throw is converted to a contract error. */
export function serveRouter(router: AnyRouter, log: ShellLog): Served {
  const ports = new Set<MessagePort>();
  const handler = new RPCHandler(router, {
    clientInterceptors: [
      async ({ next, path }) => {
        const failed = (thrown: unknown) => asContractError(thrown, path, log);
        try {
          const output = await next();
          if (!isIterator(output)) return output;
          return mapEventIterator(output, {
            value: async (value: unknown) => value,
            error: async (thrown) => failed(thrown),
          });
        } catch (thrown) {
          throw failed(thrown);
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

  // Opened at the first call, so that a backend that only serves other threads needs no port of its own.
  const ending = new AbortController();
  let own: Link | undefined;
  function ownLink(): Link {
    const { port1, port2 } = new MessageChannel();
    serve(port2);
    const link = new RPCLink({ port: port1 });
    port1.start();
    return link;
  }

  return {
    serve,
    link: endingLink(
      {
        call(path, input, options) {
          own ??= ownLink();
          return own.call(path, input, options);
        },
      },
      ending.signal,
    ),
    close() {
      ending.abort();
      for (const port of ports) port.close();
    },
  };
}

function isIterator(output: unknown): output is AsyncIterator<unknown, unknown, unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}
