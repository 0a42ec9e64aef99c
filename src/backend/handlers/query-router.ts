import type { ReaderContext } from '../sites/reader-context.ts';
import { allocationQueries } from './queries/allocations.ts';
import { appQueries } from './queries/app.ts';
import { archiveQueries } from './queries/archive.ts';
import { backupQueries } from './queries/backups.ts';
import { bankQueries } from './queries/bank.ts';
import { auditQueries, checkQueries, exceptionQueries } from './queries/checks.ts';
import { jobQueries } from './queries/jobs.ts';
import { matchQueries } from './queries/match.ts';
import { packQueries } from './queries/packs.ts';
import { periodQueries } from './queries/periods.ts';
import { replayQueries } from './queries/replay.ts';
import { reportQueries } from './queries/reports.ts';
import { searchQueries } from './queries/search.ts';
import { settingsQueries } from './queries/settings.ts';
import { siteQueries } from './queries/sites.ts';
import { statementQueries } from './queries/statements.ts';
import { subscriptionQueries } from './queries/subscriptions.ts';
import { syncQueries } from './queries/sync.ts';
import { transactionQueries } from './queries/transactions.ts';
import { webhookQueries } from './queries/webhooks.ts';
import { workpaperQueries } from './queries/workpapers.ts';

/** Implements the queries of the contract. The writer implements commands and streams. */
export function createReaderRouter(context: ReaderContext) {
  return {
    sites: siteQueries(context),
    webhooks: webhookQueries(context),
    archive: archiveQueries(context),
    statements: statementQueries(context),
    transactions: transactionQueries(context),
    subscriptions: subscriptionQueries(context),
    allocations: allocationQueries(context),
    sync: syncQueries(context),
    replay: replayQueries(context),
    check: checkQueries(context),
    exceptions: exceptionQueries(context),
    bank: bankQueries(context),
    match: matchQueries(context),
    workpapers: workpaperQueries(context),
    packs: packQueries(context),
    reports: reportQueries(context),
    periods: periodQueries(context),
    audit: auditQueries(context),
    backups: backupQueries(context),
    jobs: jobQueries(context),
    search: searchQueries(context),
    settings: settingsQueries(context),
    app: appQueries(context),
  };
}
