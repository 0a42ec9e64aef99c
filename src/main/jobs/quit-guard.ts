import type { Event } from 'electron';

interface QuitGuardOptions {
  /** Returns the number of jobs that are sending to the billing service. */
  countSendingJobs(): number;
  /** Asks the user whether to quit although jobs are sending. */
  confirm(jobs: number): Promise<boolean>;
  quit(): void;
}

/** Asks the user before quitting while jobs are sending. Used for `before-quit` and for closing the last window. */
export function createQuitGuard({ countSendingJobs, confirm, quit }: QuitGuardOptions) {
  let confirmed = false;
  let asking = false;
  return (event: Pick<Event, 'preventDefault'>): void => {
    const jobs = countSendingJobs();
    if (confirmed || jobs === 0) return;
    event.preventDefault();
    if (asking) return;
    asking = true;
    void confirm(jobs).then((agreed) => {
      asking = false;
      confirmed = agreed;
      if (agreed) quit();
    });
  };
}
