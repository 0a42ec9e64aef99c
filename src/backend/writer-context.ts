import type { PacingOptions } from '../billing/index.ts';
import { createDailyReading, type DailyReading, READING_FROM_MS } from './archive/daily-reading.ts';
import { createDesk, type Desk } from './bank/desk.ts';
import { noted } from './handlers/failures.ts';
import { type Changes, createChanges } from './jobs/changes.ts';
import { createElsewhere, type Elsewhere } from './jobs/elsewhere.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { createSchedules, type Schedules } from './jobs/schedules.ts';
import { createSiteLocks, type SiteLocks } from './jobs/site-lock.ts';
import { mendSites } from './sites/mend-sites.ts';
import { createStores, type Stores } from './sites/stores.ts';
import { type ShellClient, type Start, UNKNOWN_USER } from './start.ts';
import { createIndexing, type Indexing } from './sync/indexing.ts';

/** How the writer keeps time and pace; tests hurry it. */
export interface Tuning {
  /** Our clock, ms UTC. */
  readonly now: () => number;
  readonly pacing?: PacingOptions | undefined;
  /** Every wait of a replay is multiplied by this. */
  readonly waits: number;
  /** ms from the start until the archives begin to be read again. */
  readonly readingFrom: number;
}

/** What the writing half works with: one of each for all its procedures. */
export interface WriterContext extends Tuning {
  readonly home: string;
  /** Of the app. */
  readonly version: string;
  /** Who works here, for the audit log. */
  readonly user: string;
  readonly shell: ShellClient;
  readonly changes: Changes;
  readonly locks: SiteLocks;
  readonly stores: Stores;
  readonly jobs: Jobs;
  readonly schedules: Schedules;
  readonly elsewhere: Elsewhere;
  readonly indexing: Indexing;
  readonly dailyReading: DailyReading;
  readonly desk: Desk;
  /** Writes what nobody expected into the log; gives the id under which it has it. */
  unexpected(error: unknown, doing: string): string;
}

export function createWriterContext(
  { home, version, shell, log, user = UNKNOWN_USER }: Start,
  tuning: Partial<Tuning> = {},
): WriterContext {
  const changes = createChanges();
  const locks = createSiteLocks(home);
  const unexpected = (error: unknown, doing: string) => String(noted(error, doing, log).detail?.['log']);
  mendSites(home);
  const given = { now: Date.now, waits: 1, readingFrom: READING_FROM_MS, ...tuning };
  const stores = createStores(home, locks, (site) => {
    elsewhere.opened(site);
    indexing.poke(site);
  });
  const schedules = createSchedules(home);
  const jobs = createJobs({ home, locks, changes, unexpected });
  const elsewhere: Elsewhere = createElsewhere({ home, stores, jobs, locks, changes, unexpected });
  const indexing: Indexing = createIndexing({ stores, jobs, changes, unexpected });
  const { now, readingFrom: from } = given;
  const dailyReading = createDailyReading({ home, stores, jobs, changes, now, from, unexpected });
  const desk = createDesk();
  const own = {
    home,
    version,
    user,
    shell,
    changes,
    locks,
    stores,
    jobs,
    schedules,
    elsewhere,
    indexing,
    dailyReading,
    desk,
    unexpected,
  };
  return { ...given, ...own };
}
