import type { MessagePort } from 'node:worker_threads';
import { RPCLink } from '@orpc/client/message-port';
import { type Client, createClient, endingLink, type Link, type Thread } from '../contract/index.ts';

/** Creates a link over a thread's port. It ends when the port closes. */
export function portLink(port: MessagePort): { link: Link; closed: AbortSignal } {
  const ending = new AbortController();
  port.on('close', () => ending.abort());
  const link = endingLink(new RPCLink({ port }), ending.signal);
  port.start();
  return { link, closed: ending.signal };
}

/** Creates a client for the shell's own calls. It connects at its first call, and again after a thread has crashed. */
export function ownClient(connect: (thread: Thread) => MessagePort): Client {
  const linkTo = (thread: Thread): Link => {
    let current: ReturnType<typeof portLink> | null = null;
    return {
      call(path, input, options) {
        if (!current || current.closed.aborted) current = portLink(connect(thread));
        return current.link.call(path, input, options);
      },
    };
  };
  return createClient({ reader: linkTo('reader'), writer: linkTo('writer') });
}
