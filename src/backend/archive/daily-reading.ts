import { performance } from 'node:perf_hooks';
import { errorOf } from '../../contract/index.ts';
import { grantRound } from '../../domain/archive/index.ts';
import { type Changes, quiet } from '../jobs/changes.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { readSites } from '../sites/site-file.ts';
import type { OpenSite, Stores } from '../sites/stores.ts';
import { noteCheck } from '../store/archive/archive-figures.ts';
import {
  archiveRound,
  countFiles,
  filesBehind,
  type StoredRound,
  saveRound,
} from '../store/archive/archive-round.ts';
import { commit } from '../store/database.ts';
import { stateOf } from './check.ts';
import { pdfPath } from './store.ts';

/** What a command does is soon over; what stays open longer reads the archive again beside its work. */
export const READING_FROM_MS = 60_000;
/** How often it is looked whether a day has gone by. */
const LOOK_MS = 30 * 60_000;
/** Of the time, so much is spent on it at most; the rest it waits. */
const SHARE = 1 / 20;
/** Read and noted together. */
const AT_ONCE = 16;
/** The pause while a job works. */
const BESIDE_MS = 5_000;

/** Reads the archives of the home's sites again by itself, a thirtieth of each a day, so that damage shows within a month. */
export interface DailyReading {
  /** Stops, and waits for the files under way. */
  close(): Promise<void>;
}

export interface DailyReadingTools {
  home: string;
  stores: Stores;
  jobs: Jobs;
  changes: Changes;
  now: () => number;
  /** ms from the start to the first look. */
  from: number;
  unexpected: (error: unknown, doing: string) => string;
}

/** Reads a share of each site's archive again every day, while the app runs. To be closed. */
export function createDailyReading(tools: DailyReadingTools): DailyReading {
  const { home, stores, jobs, changes, now, from, unexpected } = tools;
  const ends = new AbortController();
  const { signal } = ends;

  async function readShare(site: string): Promise<void> {
    const open = stores.open(site);
    for (const round of turns(open, now)) {
      if (signal.aborted) return;
      const began = performance.now();
      const found = await readSome(open, round, now(), signal);
      // What is damaged is told at once; when the others were read last, with the last of today’s.
      if (found > 0 || archiveRound(open.books)?.due === 0) changes.tell(site, 'archive');
      const worked = performance.now() - began;
      await quiet(jobs.running(site) === null ? worked / SHARE - worked : BESIDE_MS, signal);
    }
  }

  async function keepReading(): Promise<void> {
    await quiet(from, signal);
    while (!signal.aborted) {
      for (const { site } of readSites(home)) {
        if (signal.aborted) return;
        await readShare(site).catch((error) => {
          // A site that was removed meanwhile has no archive to read.
          if (errorOf(error).code !== 'not_found') unexpected(error, `reading the archive of ${site} again`);
        });
      }
      await quiet(LOOK_MS, signal);
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

/** How the round stands before each of its steps, until today's share is read. */
function* turns(
  { cache, books }: Pick<OpenSite, 'cache' | 'books'>,
  now: () => number,
): Generator<StoredRound> {
  const before = archiveRound(books);
  const granted = { after: before?.after ?? '', ...grantRound(before, countFiles(cache), now()) };
  if (granted.granted_at !== before?.granted_at) commit(books, () => saveRound(books, granted));
  for (
    let round: StoredRound | null = granted;
    round !== null && round.due > 0;
    round = archiveRound(books)
  ) {
    yield round;
  }
}

/** Reads the next files of the round and notes how they were found; gives how many were not as they were stored. */
async function readSome(
  { cache, books, folder }: Pick<OpenSite, 'cache' | 'books' | 'folder'>,
  round: StoredRound,
  at: number,
  signal: AbortSignal,
): Promise<number> {
  const files = filesBehind(cache, round.after, Math.min(AT_ONCE, round.due));
  const found: [sha256: string, state: Awaited<ReturnType<typeof stateOf>>][] = [];
  for (const sha256 of files) {
    if (signal.aborted) break;
    found.push([sha256, await stateOf(pdfPath(folder, sha256), sha256)]);
  }
  commit(books, () => {
    for (const [sha256, state] of found) noteCheck(books, sha256, state, at);
    // Fewer files than were due: some were deleted since.
    const due = files.length === 0 ? 0 : round.due - found.length;
    saveRound(books, { ...round, after: found.at(-1)?.[0] ?? round.after, due });
  });
  return found.filter(([, state]) => state !== 'whole').length;
}
