import { performance } from 'node:perf_hooks';
import { toContractError } from '../../contract/index.ts';
import { scheduleDailyCheck } from '../../domain/archive/index.ts';
import { sleep } from '../jobs/change-events.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { readSites } from '../sites/site-file.ts';
import { saveArchiveFileCheck } from '../store/archive/archive-summary.ts';
import {
  countArchiveFiles,
  type DailyArchiveCheckProgress,
  getDailyArchiveCheck,
  listArchiveFilesAfter,
  saveDailyArchiveCheck,
} from '../store/archive/daily-archive-check.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { checkArchivedFile } from './check-and-repair-archive.ts';
import { getPdfPath } from './pdf-files.ts';

/** Delay in milliseconds from the start of the process to its first daily check. Short commands end before that. */
export const DAILY_CHECK_START_MS = 60_000;
/** Interval in milliseconds between checks for a new day. */
const NEW_DAY_POLL_INTERVAL_MS = 30 * 60_000;
/** Maximum share of time spent on reading files. */
const MAX_READING_SHARE = 1 / 20;
/** Number of files read and recorded per batch. */
const FILES_PER_BATCH = 16;
/** Delay between batches in milliseconds while a job is running on the site. */
const DELAY_DURING_JOB_MS = 5_000;

/** Reads one thirtieth of each site's archive every day, so that damage is detected within a month. */
export interface DailyArchiveCheck {
  /** Stops the check after the files that are being read. */
  close(): Promise<void>;
}

type DailyCheckContext = Pick<
  CommandContext,
  'home' | 'stores' | 'jobs' | 'changes' | 'now' | 'unexpected'
> & {
  /** Delay in milliseconds from the start of the process to the first check. */
  readonly startDelayMs: number;
};

/** Starts the daily archive check of all sites, which runs while the app is open. The caller must close it. */
export function startDailyArchiveCheck(context: DailyCheckContext): DailyArchiveCheck {
  const { home, stores, jobs, changes, now, startDelayMs, unexpected } = context;
  const closeController = new AbortController();
  const { signal } = closeController;

  async function checkDailyShare(site: string): Promise<void> {
    const open = stores.open(site);
    for (const round of readRounds(open, now)) {
      if (signal.aborted) return;
      const startedAt = performance.now();
      const problems = await checkNextFiles(open, round, now(), signal);
      // Reports damage immediately, and the time of the last check with the last batch of the day.
      if (problems > 0 || getDailyArchiveCheck(open.books)?.due === 0) changes.emit(site, 'archive');
      const workedMs = performance.now() - startedAt;
      const idleMs = workedMs / MAX_READING_SHARE - workedMs;
      await sleep(jobs.findRunning(site) === null ? idleMs : DELAY_DURING_JOB_MS, signal);
    }
  }

  async function checkForever(): Promise<void> {
    await sleep(startDelayMs, signal);
    while (!signal.aborted) {
      for (const { site } of readSites(home)) {
        if (signal.aborted) return;
        await checkDailyShare(site).catch((error) => {
          // A person may have removed the site in the meantime.
          if (toContractError(error).code !== 'not_found')
            unexpected(error, `checking the archive of ${site}`);
        });
      }
      await sleep(NEW_DAY_POLL_INTERVAL_MS, signal);
    }
  }
  const reading = checkForever();

  return {
    async close() {
      closeController.abort();
      await reading;
    },
  };
}

/** Yields the round's progress before each batch, until today's share of the files has been read. */
function* readRounds(
  { cache, books }: Pick<OpenSite, 'cache' | 'books'>,
  now: () => number,
): Generator<DailyArchiveCheckProgress> {
  const before = getDailyArchiveCheck(books);
  const schedule = scheduleDailyCheck(before, countArchiveFiles(cache), now());
  const scheduled = { after: before?.after ?? '', ...schedule };
  if (scheduled.granted_at !== before?.granted_at)
    runInTransaction(books, () => saveDailyArchiveCheck(books, scheduled));
  for (let round: DailyArchiveCheckProgress | null = scheduled; round !== null && round.due > 0; ) {
    yield round;
    round = getDailyArchiveCheck(books);
  }
}

/** Checks the next files of the daily round and records their states. Returns how many are damaged or missing. */
async function checkNextFiles(
  { cache, books, folder }: Pick<OpenSite, 'cache' | 'books' | 'folder'>,
  round: DailyArchiveCheckProgress,
  at: number,
  signal: AbortSignal,
): Promise<number> {
  const files = listArchiveFilesAfter(cache, round.after, Math.min(FILES_PER_BATCH, round.due));
  const checked: [sha256: string, state: Awaited<ReturnType<typeof checkArchivedFile>>][] = [];
  for (const sha256 of files) {
    if (signal.aborted) break;
    checked.push([sha256, await checkArchivedFile(getPdfPath(folder, sha256), sha256)]);
  }
  runInTransaction(books, () => {
    for (const [sha256, state] of checked) saveArchiveFileCheck(books, sha256, state, at);
    // Ends the round if no files are left, because some were deleted in the meantime.
    const due = files.length === 0 ? 0 : round.due - checked.length;
    saveDailyArchiveCheck(books, { ...round, after: checked.at(-1)?.[0] ?? round.after, due });
  });
  return checked.filter(([, state]) => state !== 'intact').length;
}
