/** Entry of Electron's main process. It only connects the modules of this folder. */
import { mkdtempSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, BrowserWindow, dialog, Notification, powerMonitor, protocol } from 'electron';
import { type Job, toContractError } from '../contract/index.ts';
import {
  type AppHost,
  type LauncherMessage,
  type LogWriter,
  prepareHome,
  resolveHome,
  startHost,
} from '../host/index.ts';
import { findAppLink, LINK_SCHEME } from './app-link.ts';
import { APP_SCHEME } from './app-protocol.ts';
import {
  findWindowShell,
  getPrintFolder,
  openWindow,
  sendToWindow,
  setAppMenu,
  showWindow,
  type WindowContext,
} from './app-windows.ts';
import { checkApp } from './check-app.ts';
import { type JobSummary, observeJobs } from './job-observer.ts';
import { createPowerSaver } from './power-saver.ts';
import { deletePrintedFiles } from './printing.ts';
import { createQuitGuard } from './quit-guard.ts';
import { reportConnected } from './report-connected.ts';
import { reportErrors } from './report-errors.ts';
import { findCliArguments, runCli } from './run-cli.ts';
import { servePages } from './serve-pages.ts';
import { createStartProgress, type StartProgress } from './start-progress.ts';
import { prepareWindowFolder } from './window-options.ts';

const isMac = process.platform === 'darwin';
/** Identifies the app to Windows, for notifications and the taskbar. Equals `appId` of the packaged app. */
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
  // Before `ready`, Linux prints an error box on the terminal instead of showing it.
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
  const isCheck = process.argv.includes('--check');
  // The check uses a home of its own, so that it neither needs nor changes the user's data.
  const home = isCheck
    ? mkdtempSync(join(tmpdir(), 'tieout-check-'))
    : prepareHome(resolveHome({ env, platform: process.platform, homedir: homedir() }));
  app.setPath('userData', prepareWindowFolder(home));
  if (!isCheck && !app.requestSingleInstanceLock()) return app.quit();
  await app.whenReady();
  if (isCheck) return await checkApp(home);
  app.setAsDefaultProtocolClient(LINK_SCHEME);
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
  const context = { home, log, startProgress };
  setAppMenu(context, []);
  handleAppEvents(context, ready);
  showWindow(context);
  openLinkOf(process.argv);
  await ready;
}

/** Starts the backend, and the demo on the first start. The window is already open, because a migration may take long. */
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

/** Handles starts, links, jobs and the end of the app. */
function handleAppEvents(context: WindowContext, ready: Promise<AppHost>): void {
  const stopController = new AbortController();
  let summary: JobSummary = { progress: null, sending: [] };
  const guard = createQuitGuard({
    countSendingJobs: () => summary.sending.length,
    confirm: confirmQuit,
    quit: () => app.quit(),
  });
  app.on('before-quit', guard);
  app.on('browser-window-created', (_event, window) => {
    window.on('close', (event) => {
      if (!isMac && BrowserWindow.getAllWindows().length === 1) guard(event);
    });
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    stopController.abort();
    void ready.then((host) => host.close()).finally(() => app.exit());
  });
  app.on('second-instance', (_event, argv) => {
    // The instance is ending. It starts again instead of showing a window that would vanish.
    if (stopController.signal.aborted) return app.relaunch();
    if (argv.includes('--new-window')) openWindow(context);
    else showWindow(context);
    openLinkOf(argv);
  });
  app.on('open-url', (_event, url) => openLinkOf([url]));
  app.on('activate', () => showWindow(context));
  app.on('window-all-closed', () => isMac || app.quit());
  powerMonitor.on('resume', () => sendToWindow({ kind: 'resume' }));
  const savePower = createPowerSaver();
  void ready.then(({ client }) =>
    observeJobs({
      client,
      signal: stopController.signal,
      onSummary(latest) {
        summary = latest;
        savePower(latest.sending.length > 0);
        showProgress(latest);
      },
      onEnded: notifyEnd,
    }),
  );
}

/** Opens the first `tieout://` link among command line arguments in the last used window. */
function openLinkOf(argv: readonly string[]): void {
  const path = findAppLink(argv);
  if (path !== null) sendToWindow({ kind: 'link', path });
}

function showProgress({ progress }: JobSummary): void {
  // Electron removes the bar below 0 and shows one without a share above 1.
  const value = progress === null ? -1 : progress === 'unknown' ? 2 : progress;
  for (const window of BrowserWindow.getAllWindows()) window.setProgressBar(value);
}

/** Notifies the user of a job's end while no window of the app is focused. */
function notifyEnd({ site, state, summary, error }: Job): void {
  if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return;
  const title = state === 'failed' ? `Tieout: a job failed (${site})` : `Tieout: a job is done (${site})`;
  new Notification({ title, body: error?.message ?? summary ?? '' }).show();
}

async function confirmQuit(jobs: number): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    ...{ type: 'question', buttons: ['Quit', 'Cancel'], defaultId: 1, cancelId: 1 },
    message:
      jobs === 1
        ? 'A job is sending to the billing service'
        : `${jobs} jobs are sending to the billing service`,
    detail:
      'If you quit now, it stops after the current request. What was sent is recorded, and you can continue later.',
  });
  return response === 0;
}
