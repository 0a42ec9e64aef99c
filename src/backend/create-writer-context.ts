import { DAILY_CHECK_START_MS, startDailyArchiveCheck } from './archive/daily-check.ts';
import { createImportSession } from './bank/desk.ts';
import { recoverySteps } from './crash-recovery-steps.ts';
import type { Tuning, WriterContext } from './handlers/commands/writer-context.ts';
import { noted } from './handlers/failures.ts';
import { createChangeEvents } from './jobs/change-events.ts';
import { createExternalChangeWatcher, type ExternalChangeWatcher } from './jobs/external-change-watcher.ts';
import { createJobs } from './jobs/jobs.ts';
import { createSearchIndexing, type SearchIndexing } from './search-indexing/search-indexing.ts';
import { type BackendStartOptions, UNKNOWN_USER } from './shared/start-options.ts';
import { repairSites } from './sites/repair-site-files.ts';
import { createSiteDatabases } from './sites/site-databases.ts';
import { createSiteLocks } from './sites/site-lock.ts';
import { createSchedules } from './sync/sync-schedules.ts';

export function createWriterContext(
  { home, version, shell, log, user = UNKNOWN_USER }: BackendStartOptions,
  tuning: Partial<Tuning> = {},
): WriterContext {
  const changes = createChangeEvents();
  const locks = createSiteLocks(home);
  const unexpected = (error: unknown, doing: string) => String(noted(error, doing, log).detail?.['log']);
  repairSites(home);
  const given = { now: Date.now, waits: 1, readingFrom: DAILY_CHECK_START_MS, ...tuning };
  const stores = createSiteDatabases({
    home,
    locks,
    recovery: recoverySteps,
    opened(site) {
      elsewhere.opened(site);
      indexing.poke(site);
    },
  });
  const schedules = createSchedules(home);
  const jobs = createJobs({ home, locks, changes, unexpected });
  const elsewhere: ExternalChangeWatcher = createExternalChangeWatcher({
    home,
    stores,
    jobs,
    locks,
    changes,
    unexpected,
  });
  const indexing: SearchIndexing = createSearchIndexing({ stores, jobs, changes, unexpected });
  const { now, readingFrom: from } = given;
  const dailyReading = startDailyArchiveCheck({ home, stores, jobs, changes, now, from, unexpected });
  const desk = createImportSession();
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
