import type { MessagePort } from 'node:worker_threads';
import { RPCLink } from '@orpc/client/message-port';
import {
  type BackendClient,
  type BackendLink,
  type BackendThread,
  createBackendClient,
  createClosableLink,
} from '../contract/index.ts';

/** Creates a link over a thread's message port. Its calls reject when the port closes. */
export function createPortLink(port: MessagePort): { link: BackendLink; closed: AbortSignal } {
  const closeController = new AbortController();
  port.on('close', () => closeController.abort());
  const link = createClosableLink(new RPCLink({ port }), closeController.signal);
  port.start();
  return { link, closed: closeController.signal };
}

/** Creates a client for the shell's own calls. It connects on its first call, and again after a thread has crashed. */
export function createHostClient(connect: (thread: BackendThread) => MessagePort): BackendClient {
  const linkTo = (thread: BackendThread): BackendLink => {
    let current: ReturnType<typeof createPortLink> | null = null;
    return {
      call(path, input, options) {
        if (!current || current.closed.aborted) current = createPortLink(connect(thread));
        return current.link.call(path, input, options);
      },
    };
  };
  return createBackendClient({ reader: linkTo('reader'), writer: linkTo('writer') });
}
