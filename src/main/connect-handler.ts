import type { IpcMain, IpcMainEvent, MessagePortMain } from 'electron';
import type { BackendThread } from '../contract/index.ts';
import type { FrameChannel, LogWriter } from '../host/index.ts';
import { isAppUrl } from './app-origin.ts';
import type { WindowShell } from './window-shell.ts';

/**
 * Serves the ports that a page sends with `connect`: one per backend thread, and one for its window. The sender must be
 * the main frame of an app window and have the app's origin. Other ports are closed, and the attempt is logged.
 */
export function installConnectHandler(
  ipcMain: Pick<IpcMain, 'on'>,
  options: {
    /** Returns the shell of the window with this webContents id. Null if it is not an app window. */
    findShell(id: number): WindowShell | null;
    serve(thread: BackendThread, port: MessagePortMain): Promise<void>;
    log: LogWriter;
  },
): void {
  const { findShell, serve, log } = options;
  ipcMain.on('connect', (event) => {
    const [reader, writer, window] = event.ports;
    const shell = isAppPage(event) ? findShell(event.sender.id) : null;
    if (!reader || !writer || !window || !shell) {
      log({ level: 'warn', msg: 'A foreign frame requested the backend.' });
      for (const port of event.ports) port.close();
      return;
    }
    shell.serve(window);
    // If the backend does not start, other code ends the app with an error message.
    serve('reader', reader).catch(() => reader.close());
    serve('writer', writer).catch(() => writer.close());
  });
}

function isAppPage({ senderFrame }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isAppUrl(senderFrame.url);
}

/** Wraps a page's message port as an end of a relay. */
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
