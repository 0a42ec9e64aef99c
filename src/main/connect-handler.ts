import type { IpcMain, IpcMainEvent, MessagePortMain } from 'electron';
import type { BackendThread } from '../contract/index.ts';
import type { FrameChannel, Log } from '../host/index.ts';
import { isAppUrl } from './app-origin.ts';

/**
 * Serves the ports that a page sends with `connect`, one per thread. The sender must be the main frame of one of the
 * app's windows and have the app's origin. Other ports are closed, and the attempt is logged.
 */
export function installConnectHandler(
  ipcMain: Pick<IpcMain, 'on'>,
  options: {
    /** Returns true if one of the app's windows has this webContents id. */
    isKnown(id: number): boolean;
    serve(thread: BackendThread, port: MessagePortMain): void;
    log: Log;
  },
): void {
  ipcMain.on('connect', (event) => {
    const [reader, writer] = event.ports;
    if (!reader || !writer || !isAppPage(event, options.isKnown)) {
      options.log({ level: 'warn', msg: 'A foreign frame requested the backend.' });
      for (const port of event.ports) port.close();
      return;
    }
    options.serve('reader', reader);
    options.serve('writer', writer);
  });
}

function isAppPage({ sender, senderFrame }: IpcMainEvent, isKnown: (id: number) => boolean): boolean {
  return (
    senderFrame !== null && senderFrame.parent === null && isAppUrl(senderFrame.url) && isKnown(sender.id)
  );
}

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
