/** Electron's main process. Connects the parts of this folder and contains no rule of its own. */
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, ipcMain, Menu, protocol, session } from 'electron';
import { errorOf } from '../contract/index.ts';
import { homeOf, openPages, portPipe, prepareHome, relay, startHost } from '../host/index.ts';
import { menuTemplate } from './menu.ts';
import { installPermissions } from './permissions.ts';
import { clearPrinting } from './printing.ts';
import { APP_SCHEME, createAppHandler, installProtocol } from './protocol.ts';
import { pagePipe } from './relay.ts';
import { installConnect } from './sender.ts';
import { windowFolder } from './window.ts';
import { printingFolder, showWindow } from './windows.ts';

const mac = process.platform === 'darwin';
const { TIEOUT_API_KEY: fallbackKey, ...env } = process.env;
delete process.env['TIEOUT_API_KEY'];

main().catch((error) => {
  const { message, hint } = errorOf(error);
  dialog.showErrorBox(
    'Tieout could not start',
    `${message}\n\n${hint ?? 'Its log, logs/tieout.log, says more.'}`,
  );
  app.exit(1);
});

async function main(): Promise<void> {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  const home = prepareHome(homeOf({ env, platform: process.platform, homedir: homedir() }));
  app.setPath('userData', windowFolder(home));
  if (!app.requestSingleInstanceLock()) return app.quit();
  await app.whenReady();
  clearPrinting(printingFolder(home));

  const sandboxEntry = new URL('./sandbox.js', import.meta.url);
  const host = await startHost({ home, version: app.getVersion(), fallbackKey, sandboxEntry });
  app.on('will-quit', (event) => {
    event.preventDefault();
    void host.close().finally(() => app.exit());
  });
  await host.demo?.openIfWanted();

  const pages = openPages(fileURLToPath(new URL('../renderer', import.meta.url)));
  installPermissions(session.defaultSession);
  installProtocol(session.defaultSession.protocol, createAppHandler({ pages, blobs: host.blobs }));
  installConnect(ipcMain, {
    isKnown: (id) => BrowserWindow.getAllWindows().some((window) => window.webContents.id === id),
    serve: (thread, port) => relay(pagePipe(port), portPipe(host.connect(thread))),
    log: host.log,
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate({ mac, packaged: app.isPackaged })));
  app.on('second-instance', () => showWindow(host));
  app.on('activate', () => showWindow(host));
  app.on('window-all-closed', () => mac || app.quit());
  showWindow(host);
}
