import { fileURLToPath } from 'node:url';
import { ipcMain, session } from 'electron';
import {
  type AppHost,
  createPortChannel,
  type LogWriter,
  openWindowAssets,
  relayFrames,
} from '../host/index.ts';
import { createAppHandler, installProtocol } from './app-protocol.ts';
import { createPageChannel, installConnectHandler } from './connect-handler.ts';
import { restrictPermissions } from './restrict-permissions.ts';
import type { WindowShell } from './window-shell.ts';

interface ServePagesOptions {
  readonly ready: Promise<AppHost>;
  readonly log: LogWriter;
  /** Returns the shell of the app window with this webContents id. Null for other pages. */
  findShell(webContentsId: number): WindowShell | null;
  /** Called when a page has connected to a backend thread. */
  onConnected(): void;
}

/** Serves files, ports and permissions to pages. A page that connects early waits for the backend. */
export function servePages({ ready, log, findShell, onConnected }: ServePagesOptions): void {
  const pages = openWindowAssets(fileURLToPath(new URL('../renderer', import.meta.url)));
  const blobs = { take: async (id: string) => await (await ready).blobs.take(id) };
  restrictPermissions(session.defaultSession);
  installProtocol(session.defaultSession.protocol, createAppHandler({ pages, blobs }));
  installConnectHandler(ipcMain, {
    findShell,
    async serve(thread, port) {
      const host = await ready;
      relayFrames(createPageChannel(port), createPortChannel(host.connect(thread)));
      onConnected();
    },
    log,
  });
}
