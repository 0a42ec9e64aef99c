import { performance } from 'node:perf_hooks';
import { errorOf } from '../../contract/index.ts';
import { scheduleDailyCheck } from '../../domain/archive/index.ts';
import { type ChangeEvents, sleep } from '../jobs/change-events.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { readSites } from '../sites/site-file.ts';
import { noteCheck } from '../store/archive/archive-figures.ts';
import {
  archiveRound,
  countFiles,
  filesBehind,
  type StoredRound,
  saveRound,
} from '../store/archive/archive-round.ts';
import { commit } from '../store/sqlite/connection.ts';
import { checkArchivedFile } from './check-and-repair.ts';
import { pdfPath } from './pdf-files.ts';

/** Delay in milliseconds from the start of the process to its first daily check. Short commands end before it. */
export const DAILY_CHECK_START_MS = 60_000;
/** Interval in milliseconds at which a new day is detected. */
const NEW_DAY_POLL_INTERVAL_MS = 30 * 60_000;
/** Maximum share of time spent on reading files. */
const MAX_READING_SHARE = 1 / 20;
/** Number of files read and recorded per batch. */
const FILES_PER_BATCH = 16;
/** Delay between batches in milliseconds while a job is running on the site. */
const DELAY_DURING_JOB_MS = 5_000;

/** Reads one thirtieth of each site's archive every day, so that damage is detected within a month. */
export interface DailyArchiveCheck {
  /** Stops after the files that are being read. */
  close(): Promise<void>;
}

export interface DailyArchiveCheckOptions {
  home: string;
  stores: SiteDatabases;
  jobs: Jobs;
  changes: ChangeEvents;
  now: () => number;
  /** Delay in milliseconds from the start of the process to the first check. */
  startDelayMs: number;
  unexpected: (error: unknown, doing: string) => string;
}

/** Starts the daily check of all sites, which runs while the app is open. Must be closed. */
export function startDailyArchiveCheck(tools: DailyArchiveCheckOptions): DailyArchiveCheck {
  const { home, stores, jobs, changes, now, startDelayMs, unexpected } = tools;
  const closeController = new AbortController();
  const { signal } = closeController;

  async function checkDailyShare(site: string): Promise<void> {
    const open = stores.open(site);
    for (const round of roundStates(open, now)) {
      if (signal.aborted) return;
      const startedAt = performance.now();
      const found = await checkNextFiles(open, round, now(), signal);
      // Damage is reported immediately. The time of the last check is reported with the last batch of the day.
      if (found > 0 || archiveRound(open.books)?.due === 0) changes.emit(site, 'archive');
      const workedMs = performance.now() - startedAt;
      await sleep(
        jobs.findRunning(site) === null ? workedMs / MAX_READING_SHARE - workedMs : DELAY_DURING_JOB_MS,
        signal,
      );
    }
  }

  async function checkForever(): Promise<void> {
    await sleep(startDelayMs, signal);
    while (!signal.aborted) {
      for (const { site } of readSites(home)) {
        if (signal.aborted) return;
        await checkDailyShare(site).catch((error) => {
          // The site may have been removed in the meantime.
          if (errorOf(error).code !== 'not_found') unexpected(error, `reading the archive of ${site} again`);
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

/** Yields the state of the round before each batch, until today's share of the files has been read. */
function* roundStates(
  { cache, books }: Pick<OpenSite, 'cache' | 'books'>,
  now: () => number,
): Generator<StoredRound> {
  const before = archiveRound(books);
  const scheduled = { after: before?.after ?? '', ...scheduleDailyCheck(before, countFiles(cache), now()) };
  if (scheduled.granted_at !== before?.granted_at) commit(books, () => saveRound(books, scheduled));
  for (
    let round: StoredRound | null = scheduled;
    round !== null && round.due > 0;
    round = archiveRound(books)
  ) {
    yield round;
  }
}

/** Reads the next files of the round and records their states. Returns the number of damaged or missing files. */
async function checkNextFiles(
  { cache, books, folder }: Pick<OpenSite, 'cache' | 'books' | 'folder'>,
  round: StoredRound,
  at: number,
  signal: AbortSignal,
): Promise<number> {
  const files = filesBehind(cache, round.after, Math.min(FILES_PER_BATCH, round.due));
  const found: [sha256: string, state: Awaited<ReturnType<typeof checkArchivedFile>>][] = [];
  for (const sha256 of files) {
    if (signal.aborted) break;
    found.push([sha256, await checkArchivedFile(pdfPath(folder, sha256), sha256)]);
  }
  commit(books, () => {
    for (const [sha256, state] of found) noteCheck(books, sha256, state, at);
    // Ends the round if there are fewer files than expected, because some were deleted in the meantime.
    const due = files.length === 0 ? 0 : round.due - found.length;
    saveRound(books, { ...round, after: found.at(-1)?.[0] ?? round.after, due });
  });
  return found.filter(([, state]) => state !== 'intact').length;
}
