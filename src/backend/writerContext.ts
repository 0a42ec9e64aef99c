import type { PacingOptions } from '../billing/index.ts';
import { noted } from './handlers/failures.ts';
import { type Changes, createChanges } from './jobs/changes.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { createSiteLocks, type SiteLocks } from './jobs/siteLock.ts';
import { createStores, type Stores } from './sites/stores.ts';
import type { ShellClient, Start } from './start.ts';

/** How the writer keeps time and pace; tests hurry it. */
export interface Tuning {
  /** Our clock, ms UTC. */
  readonly now: () => number;
  readonly pacing?: PacingOptions | undefined;
  /** Every wait of a replay is multiplied by this. */
  readonly waits: number;
}

/** What the writing half works with: one of each for all its procedures. */
export interface WriterContext extends Tuning {
  readonly home: string;
  readonly shell: ShellClient;
  readonly changes: Changes;
  readonly locks: SiteLocks;
  readonly stores: Stores;
  readonly jobs: Jobs;
}

export function createWriterContext(
  { home, shell, log }: Start,
  tuning: Partial<Tuning> = {},
): WriterContext {
  const changes = createChanges();
  const locks = createSiteLocks(home);
  const unexpected = (error: unknown, doing: string) => String(noted(error, doing, log).detail?.['log']);
  return {
    now: Date.now,
    waits: 1,
    ...tuning,
    home,
    shell,
    changes,
    locks,
    stores: createStores(home, locks),
    jobs: createJobs({ home, locks, changes, unexpected }),
  };
}
