import type { ReaderContext } from '../sites/reader-context.ts';
import { createSiteQueries } from './procedures/implement-procedures.ts';
import { alertQueries } from './queries/alerts.ts';
import { allocationQueries } from './queries/allocations.ts';
import { archiveQueries, backupQueries } from './queries/archive.ts';
import { bankQueries } from './queries/bank.ts';
import { auditQueries, checkQueries, exceptionQueries } from './queries/checks.ts';
import { commentQueries } from './queries/comments.ts';
import { journalQueries, ledgerQueries } from './queries/general-ledger.ts';
import { incidentQueries } from './queries/incidents.ts';
import { jobQueries } from './queries/jobs.ts';
import { matchQueries } from './queries/match.ts';
import {
  evidencePackQueries,
  peopleQueries,
  periodQueries,
  reportQueries,
  workpaperQueries,
} from './queries/periods.ts';
import { replayQueries } from './queries/replay.ts';
import { appQueries, searchQueries, settingsQueries, siteQueries, syncQueries } from './queries/sites.ts';
import { statementQueries, subscriptionQueries, transactionQueries } from './queries/statements.ts';
import { webhookQueries } from './queries/webhooks.ts';

/** Implements the queries of the contract. The writer implements commands and streams. */
export function createReaderRouter(reader: ReaderContext) {
  const context = { ...reader, ...createSiteQueries(reader) };
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
    incidents: incidentQueries(context),
    alerts: alertQueries(context),
    check: checkQueries(context),
    exceptions: exceptionQueries(context),
    bank: bankQueries(context),
    comments: commentQueries(context),
    match: matchQueries(context),
    ledger: ledgerQueries(context),
    journal: journalQueries(context),
    workpapers: workpaperQueries(context),
    packs: evidencePackQueries(context),
    reports: reportQueries(context),
    people: peopleQueries(context),
    periods: periodQueries(context),
    audit: auditQueries(context),
    backups: backupQueries(context),
    jobs: jobQueries(context),
    search: searchQueries(context),
    settings: settingsQueries(context),
    app: appQueries(context),
  };
}
