import { DAILY_CHECK_START_MS, startDailyArchiveCheck } from './archive/daily-check.ts';
import { createImportSession } from './bank/import-session.ts';
import { recoverySteps } from './crash-recovery-steps.ts';
import type { WriterContext, WriterTuning } from './handlers/commands/writer-context.ts';
import { logUnexpectedError } from './handlers/contract-errors.ts';
import { createChangeEvents } from './jobs/change-events.ts';
import { createExternalChangeWatcher, type ExternalChangeWatcher } from './jobs/external-change-watcher.ts';
import { createJobs } from './jobs/jobs.ts';
import { createSearchIndexing, type SearchIndexing } from './search-indexing/search-indexing.ts';
import { type BackendStartOptions, UNKNOWN_USER } from './shared/start-options.ts';
import { repairSiteFiles } from './sites/repair-site-files.ts';
import { createSiteDatabases } from './sites/site-databases.ts';
import { createSiteLocks } from './sites/site-lock.ts';
import { createSyncSchedules } from './sync/sync-schedules.ts';

export function createWriterContext(
  { home, version, shell, log, user = UNKNOWN_USER }: BackendStartOptions,
  tuning: Partial<WriterTuning> = {},
): WriterContext {
  const changes = createChangeEvents();
  const locks = createSiteLocks(home);
  const unexpected = (error: unknown, doing: string) =>
    String(logUnexpectedError(error, doing, log).detail?.['log']);
  repairSiteFiles(home);
  const settings = { now: Date.now, waits: 1, archiveCheckDelayMs: DAILY_CHECK_START_MS, ...tuning };
  const stores = createSiteDatabases({
    home,
    locks,
    recovery: recoverySteps,
    opened(site) {
      externalChangeWatcher.watchSite(site);
      indexing.schedule(site);
    },
  });
  const schedules = createSyncSchedules(home);
  const jobs = createJobs({ home, locks, changes, unexpected });
  const externalChangeWatcher: ExternalChangeWatcher = createExternalChangeWatcher({
    home,
    stores,
    jobs,
    locks,
    changes,
    unexpected,
  });
  const indexing: SearchIndexing = createSearchIndexing({ stores, jobs, changes, unexpected });
  const { now, archiveCheckDelayMs: startDelayMs } = settings;
  const dailyArchiveCheck = startDailyArchiveCheck({
    home,
    stores,
    jobs,
    changes,
    now,
    startDelayMs,
    unexpected,
  });
  const importSession = createImportSession();
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
    externalChangeWatcher,
    indexing,
    dailyArchiveCheck,
    importSession,
    unexpected,
  };
  return { ...settings, ...own };
}
