import { BrowserWindow, Notification } from 'electron';
import type { BackendClient, Job } from '../../contract/index.ts';
import { addRecentFile, findWrittenFile } from '../opening/recent-files.ts';
import { type JobSummary, observeJobs } from './job-observer.ts';
import { createPowerSaver } from './power-saver.ts';

/** Duration in milliseconds from which the end of a job triggers a notification. Chosen by judgment. */
const LONG_JOB_MS = 10_000;

interface ShowJobsOptions {
  /** Resolves once the backend has started. */
  readonly client: Promise<BackendClient>;
  /** Ends the observation. */
  readonly signal: AbortSignal;
  /** Brings a window to the front. Called if the user clicks a notification. */
  showWindow(): void;
}

/**
 * Shows the progress of jobs in the taskbar or dock, keeps the computer awake while a job is sending, and notifies the user
 * of the end of long jobs. Returns a function that counts the jobs that are sending.
 */
export function showJobs({ client, signal, showWindow }: ShowJobsOptions): () => number {
  let sending = 0;
  const savePower = createPowerSaver();
  const observe = (connected: BackendClient) =>
    observeJobs({
      client: connected,
      signal,
      onSummary(summary) {
        sending = summary.sending.length;
        savePower(sending > 0);
        showProgress(summary);
      },
      onEnded(job) {
        notifyEnd(job, showWindow);
        const written = findWrittenFile(connected, job);
        written.then((path) => path !== null && addRecentFile(path)).catch(() => undefined);
      },
    });
  // If the backend does not start, other code ends the app with an error message.
  void client.then(observe).catch(() => undefined);
  return () => sending;
}

function showProgress({ progress }: JobSummary): void {
  // Electron removes the progress bar for values below 0, and shows an indeterminate bar for values above 1.
  const value = progress === null ? -1 : progress === 'unknown' ? 2 : progress;
  for (const window of BrowserWindow.getAllWindows()) window.setProgressBar(value);
}

/** Keeps a reference to the latest notification, because Electron emits no click event after garbage collection. */
let latestNotification: Notification | null = null;

/** Notifies the user of the end of a long job while no window of the app is focused. */
function notifyEnd({ site, state, summary, error, started_at, ended_at }: Job, showWindow: () => void): void {
  const duration = Date.parse(ended_at ?? '') - Date.parse(started_at);
  if (duration < LONG_JOB_MS || BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported())
    return;
  const title =
    state === 'failed' ? `Tieout: a job has failed (${site})` : `Tieout: a job has finished (${site})`;
  latestNotification = new Notification({ title, body: error?.message ?? summary ?? '' });
  latestNotification.on('click', showWindow);
  latestNotification.show();
}
