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
import { readFileState } from './check-and-repair.ts';
import { pdfPath } from './pdf-files.ts';

/** Milliseconds after which an open process starts the daily check. Short commands never reach it. */
export const DAILY_CHECK_START_MS = 60_000;
/** Interval in milliseconds for testing whether a new day has begun. */
const LOOK_MS = 30 * 60_000;
/** Maximum share of time spent on reading. */
const SHARE = 1 / 20;
/** Number of files read and recorded together. */
const AT_ONCE = 16;
/** Delay in milliseconds while a job is running. */
const BESIDE_MS = 5_000;

/** Reads a thirtieth of each site's archive again every day, so that damage shows within a month. */
export interface DailyArchiveCheck {
  /** Stops after the current files. */
  close(): Promise<void>;
}

export interface DailyArchiveCheckOptions {
  home: string;
  stores: SiteDatabases;
  jobs: Jobs;
  changes: ChangeEvents;
  now: () => number;
  /** Milliseconds from the start to the first check. */
  from: number;
  unexpected: (error: unknown, doing: string) => string;
}

/** Starts reading a share of each site's archive every day while the app runs. Must be closed. */
export function startDailyArchiveCheck(tools: DailyArchiveCheckOptions): DailyArchiveCheck {
  const { home, stores, jobs, changes, now, from, unexpected } = tools;
  const ends = new AbortController();
  const { signal } = ends;

  async function readShare(site: string): Promise<void> {
    const open = stores.open(site);
    for (const round of turns(open, now)) {
      if (signal.aborted) return;
      const began = performance.now();
      const found = await readSome(open, round, now(), signal);
      // Damage is reported at once; the date of the last read of other files, with the day's last batch.
      if (found > 0 || archiveRound(open.books)?.due === 0) changes.tell(site, 'archive');
      const worked = performance.now() - began;
      await sleep(jobs.running(site) === null ? worked / SHARE - worked : BESIDE_MS, signal);
    }
  }

  async function keepReading(): Promise<void> {
    await sleep(from, signal);
    while (!signal.aborted) {
      for (const { site } of readSites(home)) {
        if (signal.aborted) return;
        await readShare(site).catch((error) => {
          // The site may have been removed in the meantime.
          if (errorOf(error).code !== 'not_found') unexpected(error, `reading the archive of ${site} again`);
        });
      }
      await sleep(LOOK_MS, signal);
    }
  }
  const reading = keepReading();

  return {
    async close() {
      ends.abort();
      await reading;
    },
  };
}

/** Yields the state of the round before each batch, until today's share is read. */
function* turns(
  { cache, books }: Pick<OpenSite, 'cache' | 'books'>,
  now: () => number,
): Generator<StoredRound> {
  const before = archiveRound(books);
  const granted = { after: before?.after ?? '', ...scheduleDailyCheck(before, countFiles(cache), now()) };
  if (granted.granted_at !== before?.granted_at) commit(books, () => saveRound(books, granted));
  for (
    let round: StoredRound | null = granted;
    round !== null && round.due > 0;
    round = archiveRound(books)
  ) {
    yield round;
  }
}

/** Reads the next files of the round and records their states. Returns the number of damaged or missing files. */
async function readSome(
  { cache, books, folder }: Pick<OpenSite, 'cache' | 'books' | 'folder'>,
  round: StoredRound,
  at: number,
  signal: AbortSignal,
): Promise<number> {
  const files = filesBehind(cache, round.after, Math.min(AT_ONCE, round.due));
  const found: [sha256: string, state: Awaited<ReturnType<typeof readFileState>>][] = [];
  for (const sha256 of files) {
    if (signal.aborted) break;
    found.push([sha256, await readFileState(pdfPath(folder, sha256), sha256)]);
  }
  commit(books, () => {
    for (const [sha256, state] of found) noteCheck(books, sha256, state, at);
    // Fewer files than due: some were deleted in the meantime.
    const due = files.length === 0 ? 0 : round.due - found.length;
    saveRound(books, { ...round, after: found.at(-1)?.[0] ?? round.after, due });
  });
  return found.filter(([, state]) => state !== 'intact').length;
}
