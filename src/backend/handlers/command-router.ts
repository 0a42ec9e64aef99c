import { alertCommands } from './commands/alerts.ts';
import { allocationCommands } from './commands/allocations.ts';
import { archiveCommands, backupCommands } from './commands/archive.ts';
import { auditCommands } from './commands/audit.ts';
import { bankCommands } from './commands/bank.ts';
import { commentCommands } from './commands/comments.ts';
import { journalCommands, ledgerCommands } from './commands/general-ledger.ts';
import { incidentCommands } from './commands/incidents.ts';
import { jobCommands } from './commands/jobs.ts';
import { matchCommands } from './commands/match.ts';
import { missingWebhookCommands } from './commands/missing-webhooks.ts';
import { peopleCommands } from './commands/people.ts';
import {
  evidencePackCommands,
  periodCommands,
  reportCommands,
  workpaperCommands,
} from './commands/periods.ts';
import { replayCommands } from './commands/replay.ts';
import {
  changeEventStreams,
  checkCommands,
  exceptionCommands,
  searchCommands,
  settingsCommands,
  siteCommands,
  statementCommands,
  syncCommands,
} from './commands/sites.ts';
import type { WriterContext } from './commands/writer-context.ts';

/** Implements the commands and streams of the contract. The reader implements the queries. */
export function createWriterRouter(context: WriterContext) {
  return {
    sites: siteCommands(context),
    archive: archiveCommands(context),
    backups: backupCommands(context),
    statements: statementCommands(context),
    allocations: allocationCommands(context),
    sync: syncCommands(context),
    replay: replayCommands(context),
    incidents: incidentCommands(context),
    missingWebhooks: missingWebhookCommands(context),
    alerts: alertCommands(context),
    check: checkCommands(context),
    exceptions: exceptionCommands(context),
    audit: auditCommands(context),
    bank: bankCommands(context),
    comments: commentCommands(context),
    match: matchCommands(context),
    ledger: ledgerCommands(context),
    journal: journalCommands(context),
    workpapers: workpaperCommands(context),
    packs: evidencePackCommands(context),
    reports: reportCommands(context),
    people: peopleCommands(context),
    periods: periodCommands(context),
    jobs: jobCommands(context),
    search: searchCommands(context),
    changes: changeEventStreams(context),
    settings: settingsCommands(context),
  };
}
