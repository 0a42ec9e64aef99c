import type { MessagePortMain } from 'electron';
import type { Pipe } from '../host/index.ts';

/** Wraps a page's port as one end of a relay. */
export function pagePipe(port: MessagePortMain): Pipe {
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
