/** Entry point of Electron's main process. Only connects the modules of this folder. */
import { mkdtempSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, dialog, protocol } from 'electron';
import { toContractError } from '../contract/index.ts';
import {
  type AppHost,
  type LauncherMessage,
  type LogWriter,
  prepareHome,
  resolveHome,
  startHost,
} from '../host/index.ts';
import { handleAppEvents, openArguments } from './app-events.ts';
import { APP_SCHEME } from './app-protocol.ts';
import { findWindowShell, getPrintFolder, setAppMenu, showWindow } from './app-windows.ts';
import { checkApp } from './check-app.ts';
import { LINK_SCHEME } from './opening/app-link.ts';
import { receiveOpenRequests } from './opening/open-requests.ts';
import { createOpenedFiles } from './opening/opened-files.ts';
import { deletePrintedFiles } from './printing.ts';
import { reportConnected } from './report-connected.ts';
import { reportErrors } from './report-errors.ts';
import { findCliArguments, runCli } from './run-cli.ts';
import { servePages } from './serve-pages.ts';
import { createStartProgress, type StartProgress } from './start-progress.ts';
import { prepareWindowFolder } from './window-options.ts';

/** Identifies the app to Windows, for notifications and the taskbar. Must equal `appId` of the packaged app. */
const APP_ID = 'app.tieout.desktop';

const cliArguments = findCliArguments(process.argv);
if (cliArguments) {
  app.dock?.hide();
  void runCli(cliArguments);
} else {
  const { TIEOUT_API_KEY: fallbackKey, ...env } = process.env;
  delete process.env['TIEOUT_API_KEY'];
  openApp(env, fallbackKey).catch(reportStartupError);
}

async function reportStartupError(error: unknown): Promise<void> {
  process.send?.('failed' satisfies LauncherMessage);
  const { message, hint } = toContractError(error);
  // Before the `ready` event, Linux prints error boxes on the terminal instead of showing them.
  await app.whenReady();
  dialog.showErrorBox(
    'Tieout could not start',
    `${message}\n\n${hint ?? 'See logs/tieout.log for details.'}`,
  );
  app.exit(1);
}

async function openApp(env: NodeJS.ProcessEnv, fallbackKey: string | undefined): Promise<void> {
  app.enableSandbox();
  app.setAppUserModelId(APP_ID);
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  const openRequestsWith = receiveOpenRequests(app);
  const isCheck = process.argv.includes('--check');
  // The self-check uses its own data directory, so that it neither needs nor changes the user's data.
  const home = isCheck
    ? mkdtempSync(join(tmpdir(), 'tieout-check-'))
    : prepareHome(resolveHome({ env, platform: process.platform, homedir: homedir() }));
  app.setPath('userData', prepareWindowFolder(home));
  if (!isCheck && !app.requestSingleInstanceLock()) return app.quit();
  await app.whenReady();
  if (isCheck) return await checkApp(home);
  registerLinks();
  deletePrintedFiles(getPrintFolder(home));

  const startProgress = createStartProgress();
  const ready = startBackend(home, fallbackKey, startProgress.report);
  void ready.finally(startProgress.end).catch(() => undefined);
  const log: LogWriter = (record) => void ready.then((host) => host.log(record)).catch(() => undefined);
  reportErrors({
    app,
    process,
    log,
    show: (message, detail) => dialog.showErrorBox(message, detail),
    end: () => void ready.then((host) => host.close()).finally(() => app.exit(1)),
  });
  servePages({ ready, log, findShell: findWindowShell, onConnected: reportConnected });
  const context = { home, log, files: createOpenedFiles(), startProgress };
  setAppMenu(context, []);
  handleAppEvents(context, ready, { releasesUrl: env['TIEOUT_RELEASES_URL'] });
  showWindow(context);
  openArguments(process.argv, process.cwd(), context);
  openRequestsWith((argument) => {
    showWindow(context);
    openArguments(['', argument], process.cwd(), context);
  });
  await ready;
}

/** Registers this program for `tieout://` links. In a checkout, Electron itself is the program and needs the folder. */
function registerLinks(): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  else app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, [app.getAppPath()]);
}

/** Starts the backend, and the demo on the first start. The window is already open, as a migration may take long. */
async function startBackend(
  home: string,
  fallbackKey: string | undefined,
  onMigration: StartProgress['report'],
): Promise<AppHost> {
  const sandboxEntry = new URL('./sandbox.js', import.meta.url);
  const host = await startHost({ home, version: app.getVersion(), fallbackKey, sandboxEntry, onMigration });
  await host.demo?.openIfNeeded();
  return host;
}
