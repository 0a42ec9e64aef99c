import type { IpcMain, IpcMainEvent, MessagePortMain } from 'electron';
import type { Thread } from '../contract/index.ts';
import type { Log } from '../host/index.ts';
import { isOwnUrl } from './own.ts';

/**
 * Serves the ports that a page sends with `connect`, one per thread, if the page is ours: a window we opened, its main
 * frame, our own origin. Other ports are closed and logged.
 */
export function installConnect(
  ipcMain: Pick<IpcMain, 'on'>,
  serving: {
    /** Returns true if one of our windows has this webContents id. */
    isKnown(id: number): boolean;
    serve(thread: Thread, port: MessagePortMain): void;
    log: Log;
  },
): void {
  ipcMain.on('connect', (event) => {
    const [reader, writer] = event.ports;
    if (!reader || !writer || !isOurs(event, serving.isKnown)) {
      serving.log({ level: 'warn', msg: 'A frame that is not ours asked for the backend.' });
      for (const port of event.ports) port.close();
      return;
    }
    serving.serve('reader', reader);
    serving.serve('writer', writer);
  });
}

function isOurs({ sender, senderFrame }: IpcMainEvent, isKnown: (id: number) => boolean): boolean {
  return (
    senderFrame !== null && senderFrame.parent === null && isOwnUrl(senderFrame.url) && isKnown(sender.id)
  );
}
