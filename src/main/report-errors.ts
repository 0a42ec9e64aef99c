import type { App } from 'electron';
import type { LogWriter } from '../host/index.ts';

interface ErrorReportOptions {
  readonly app: Pick<App, 'on'>;
  readonly process: Pick<NodeJS.Process, 'on'>;
  readonly log: LogWriter;
  /** Shows a message. The app continues after the user has read it. */
  show(message: string, detail: string): void;
  /** Ends the app after an error that leaves it in an unknown state. */
  end(): void;
}

/** Logs and shows unexpected errors of the main process, and crashes of Chromium's helper processes. */
export function reportErrors({ app, process, log, show, end }: ErrorReportOptions): void {
  const shownProcesses = new Set<string>();
  const fail = (error: unknown) => {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log({ level: 'error', msg: 'Unexpected error in the main process.', reason });
    show('Tieout has to close after an unexpected error', 'Stored data is safe. Start Tieout again.');
    end();
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    const isExpected = reason === 'clean-exit' || reason === 'killed';
    log({ level: isExpected ? 'info' : 'error', msg: 'A helper process ended.', type, reason, exitCode });
    if (isExpected || shownProcesses.has(type)) return;
    shownProcesses.add(type);
    show(
      `Tieout’s ${type} process ended unexpectedly`,
      'Tieout continues to work. If the window looks wrong, restart Tieout.',
    );
  });
}
