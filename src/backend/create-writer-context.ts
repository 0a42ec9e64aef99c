import { DAILY_CHECK_START_MS, startDailyArchiveCheck } from './archive/daily-archive-check.ts';
import { ImportSession } from './bank/import-session.ts';
import type { WriterContext, WriterTiming } from './handlers/commands/writer-context.ts';
import { logUnexpectedError } from './handlers/contract-errors.ts';
import { ChangeEvents } from './jobs/change-events.ts';
import { ExternalChangeWatcher } from './jobs/external-change-watcher.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { SearchIndexer } from './search-indexing/search-indexer.ts';
import { type BackendStartOptions, UNKNOWN_USER } from './shared/backend-start-options.ts';
import { siteRecoverySteps } from './site-recovery-steps.ts';
import { migrateSites } from './sites/migrate-sites.ts';
import { repairSiteFiles } from './sites/repair-site-files.ts';
import { SiteDatabases } from './sites/site-databases.ts';
import { SiteLocks } from './sites/site-lock.ts';
import { SyncSchedules } from './sync/sync-schedules.ts';

export function createWriterContext(
  {
    home,
    version,
    shell,
    log,
    user = UNKNOWN_USER,
    servesPages = false,
    reportMigration,
  }: BackendStartOptions,
  tuning: Partial<WriterTiming> = {},
): WriterContext {
  const unexpected = (error: unknown, doing: string) =>
    String(logUnexpectedError(error, doing, log).detail?.['log']);
  repairSiteFiles(home);
  if (reportMigration) migrateSites(home, reportMigration);
  const locks = new SiteLocks(home);
  const changes = new ChangeEvents();
  const settings = { now: Date.now, delayScale: 1, archiveCheckDelayMs: DAILY_CHECK_START_MS, ...tuning };
  const stores = new SiteDatabases({
    home,
    locks,
    recovery: siteRecoverySteps,
    opened(site) {
      externalChangeWatcher.watchSite(site);
      indexing.schedule(site);
    },
  });
  const schedules = new SyncSchedules(home);
  const jobs = new JobRunner({ home, locks, changes, unexpected });
  const context = {
    ...settings,
    home,
    version,
    user,
    servesPages,
    shell,
    changes,
    locks,
    stores,
    jobs,
    unexpected,
  };
  const externalChangeWatcher: ExternalChangeWatcher = new ExternalChangeWatcher(context);
  const indexing: SearchIndexer = new SearchIndexer(context);
  const dailyArchiveCheck = startDailyArchiveCheck({
    ...context,
    startDelayMs: settings.archiveCheckDelayMs,
  });
  const importSession = new ImportSession();
  return { ...context, schedules, externalChangeWatcher, indexing, dailyArchiveCheck, importSession };
}
