/** Entry of Electron's main process. It only connects the modules of this folder. */
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, ipcMain, Menu, protocol, session } from 'electron';
import { toContractError } from '../contract/index.ts';
import {
  createPortChannel,
  type LauncherMessage,
  openWindowFiles,
  prepareHome,
  relayFrames,
  resolveHome,
  startHost,
} from '../host/index.ts';
import { APP_SCHEME, createAppHandler, installProtocol } from './app-protocol.ts';
import { getPrintFolder, showWindow } from './app-window.ts';
import { createPageChannel, installConnectHandler } from './connect-handler.ts';
import { createMenuTemplate } from './menu.ts';
import { deletePrintedFiles } from './printing.ts';
import { restrictPermissions } from './restrict-permissions.ts';
import { prepareWindowFolder } from './window-options.ts';

const isMac = process.platform === 'darwin';
const { TIEOUT_API_KEY: fallbackKey, ...env } = process.env;
delete process.env['TIEOUT_API_KEY'];

main().catch(async (error) => {
  process.send?.('failed' satisfies LauncherMessage);
  const { message, hint } = toContractError(error);
  // Before `ready`, Linux prints an error box on the terminal instead of showing it.
  await app.whenReady();
  dialog.showErrorBox(
    'Tieout could not start',
    `${message}\n\n${hint ?? 'See logs/tieout.log for details.'}`,
  );
  app.exit(1);
});

async function main(): Promise<void> {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  const home = prepareHome(resolveHome({ env, platform: process.platform, homedir: homedir() }));
  app.setPath('userData', prepareWindowFolder(home));
  if (!app.requestSingleInstanceLock()) return app.quit();
  await app.whenReady();
  deletePrintedFiles(getPrintFolder(home));

  const sandboxEntry = new URL('./sandbox.js', import.meta.url);
  const host = await startHost({ home, version: app.getVersion(), fallbackKey, sandboxEntry });
  app.on('will-quit', (event) => {
    event.preventDefault();
    void host.close().finally(() => app.exit());
  });
  await host.demo?.openIfNeeded();

  const pages = openWindowFiles(fileURLToPath(new URL('../renderer', import.meta.url)));
  restrictPermissions(session.defaultSession);
  installProtocol(session.defaultSession.protocol, createAppHandler({ pages, blobs: host.blobs }));
  installConnectHandler(ipcMain, {
    isKnown: (id) => BrowserWindow.getAllWindows().some((window) => window.webContents.id === id),
    serve(thread, port) {
      relayFrames(createPageChannel(port), createPortChannel(host.connect(thread)));
      process.send?.('connected' satisfies LauncherMessage);
    },
    log: host.log,
  });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(createMenuTemplate({ mac: isMac, packaged: app.isPackaged })),
  );
  app.on('second-instance', () => showWindow(host));
  app.on('activate', () => showWindow(host));
  app.on('window-all-closed', () => isMac || app.quit());
  showWindow(host);
}
