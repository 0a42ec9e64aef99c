import type { MessagePortMain } from 'electron';
import type { FrameChannel } from '../host/index.ts';

/** Wraps a page's message port as one end of a relay. */
export function createPageChannel(port: MessagePortMain): FrameChannel {
  return {
    send: (frame) => port.postMessage(frame),
    onFrame(receive) {
      port.on('message', ({ data }) => receive(data));
      port.start();
    },
    onEnd(ended) {
      port.on('close', ended);
    },
    end: () => port.close(),
  };
}
