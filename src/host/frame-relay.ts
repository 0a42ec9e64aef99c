import type { MessagePort } from 'node:worker_threads';

/** One end of a channel that carries frames: a thread's port, a WebSocket, or Electron's port to a page. */
export interface FrameChannel {
  send(frame: string | Uint8Array): void;
  onFrame(receive: (frame: unknown) => void): void;
  onEnd(ended: () => void): void;
  end(): void;
}

/** Relays text and bytes between two channels. When one closes, the other is closed as well. */
export function relayFrames(one: FrameChannel, other: FrameChannel): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.onFrame((frame) => {
      if (typeof frame === 'string' || frame instanceof Uint8Array) to.send(frame);
    });
    from.onEnd(() => to.end());
  }
}

/** Wraps a thread's message port as one end of a relay. The port is started, so that no message is lost. */
export function createPortChannel(port: MessagePort): FrameChannel {
  return {
    send: (frame) => port.postMessage(frame),
    onFrame(receive) {
      port.on('message', receive);
    },
    onEnd(ended) {
      port.on('close', ended);
    },
    end: () => port.close(),
  };
}
