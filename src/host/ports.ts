import type { MessagePort } from 'node:worker_threads';
import { RPCLink } from '@orpc/client/message-port';
import { type Client, createClient, endingLink, type Link, type Thread } from '../contract/index.ts';

/** A link over a thread's port, which ends when the port closes. */
export function portLink(port: MessagePort): { link: Link; closed: AbortSignal } {
  const ending = new AbortController();
  port.on('close', () => ending.abort());
  const link = endingLink(new RPCLink({ port }), ending.signal);
  port.start();
  return { link, closed: ending.signal };
}

/** A client for the shell's own calls. It connects at its first call, and anew at the first one after a thread has crashed. */
export function ownClient(connect: () => Record<Thread, MessagePort>): Client {
  let current: { links: Record<Thread, Link>; closed: AbortSignal } | null = null;
  const linkTo = (thread: Thread): Link => ({
    call(path, input, options) {
      if (!current || current.closed.aborted) {
        const ports = connect();
        const [reader, writer] = [portLink(ports.reader), portLink(ports.writer)];
        const closed = AbortSignal.any([reader.closed, writer.closed]);
        closed.addEventListener('abort', () => {
          ports.reader.close();
          ports.writer.close();
        });
        current = { links: { reader: reader.link, writer: writer.link }, closed };
      }
      return current.links[thread].call(path, input, options);
    },
  });
  return createClient({ reader: linkTo('reader'), writer: linkTo('writer') });
}
