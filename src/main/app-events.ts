import { app, BrowserWindow, dialog, powerMonitor } from 'electron';
import type { AppHost } from '../host/index.ts';
import { openWindow, sendToAllWindows, sendToWindow, showWindow, type WindowContext } from './app-windows.ts';
import { createQuitGuard } from './jobs/quit-guard.ts';
import { showAlerts } from './jobs/show-alerts.ts';
import { showJobs } from './jobs/show-jobs.ts';
import { findAppLink } from './opening/app-link.ts';
import { findFileArguments } from './opening/opened-files.ts';
import { addRecentFile } from './opening/recent-files.ts';
import { watchUpdates } from './updates/watch-updates.ts';

/** Handles repeated starts of the app, power events, windows, jobs, updates and the end of the app. */
export function handleAppEvents(
  context: WindowContext,
  ready: Promise<AppHost>,
  options: { readonly releasesUrl?: string | undefined } = {},
): void {
  const isMac = process.platform === 'darwin';
  const stopController = new AbortController();
  const { signal } = stopController;
  const client = ready.then((host) => host.client);
  const guard = createQuitGuard({
    countSendingJobs: showJobs({ client, signal, showWindow: () => showWindow(context) }),
    confirm: confirmQuit,
    quit: () => app.quit(),
  });
  // If the backend does not start, other code ends the app with an error message.
  showAlerts({ client, signal, showWindow: () => showWindow(context) }).catch(() => undefined);
  watchUpdates({ client, signal, log: context.log, url: options.releasesUrl }).catch(() => undefined);
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
  app.on('second-instance', (_event, argv, folder) => {
    // The app is ending. Restarts it, because a new window would close immediately.
    if (signal.aborted) return app.relaunch({ args: argv.slice(1) });
    if (argv.includes('--new-window')) openWindow(context);
    else showWindow(context);
    openArguments(argv, folder, context);
  });
  app.on('activate', () => showWindow(context));
  app.on('window-all-closed', () => isMac || app.quit());
  powerMonitor.on('resume', () => sendToAllWindows({ kind: 'resume' }));
}

/** Opens the `tieout://` link or the files among command line arguments in the last used window. */
export function openArguments(argv: readonly string[], folder: string, { files }: WindowContext): void {
  const path = findAppLink(argv);
  if (path !== null) sendToWindow({ kind: 'link', path });
  for (const file of findFileArguments(argv, folder)) {
    const event = files.open(file);
    if (event === null) continue;
    if (event.kind !== 'fileProblem') addRecentFile(file);
    sendToWindow(event);
  }
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
