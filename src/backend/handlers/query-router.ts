import { type AnyRouter, lazy } from '@orpc/server';
import type { ReaderContext } from '../sites/reader-context.ts';
import { createSiteQueries } from './procedures/implement-procedures.ts';

/** Returns a router that is loaded when one of its procedures is first called. */
function loadLater(load: () => Promise<AnyRouter>) {
  let loaded: Promise<{ default: AnyRouter }> | undefined;
  return lazy(() => {
    loaded ??= load().then((router) => ({ default: router }));
    return loaded;
  });
}

/**
 * Implements the queries of the contract. The writer implements commands and streams. Each group is loaded with its part
 * of the contract when it is first used, because most commands use only one or two groups.
 */
export function createReaderRouter(reader: ReaderContext) {
  const context = { ...reader, ...createSiteQueries(reader) };
  return {
    sites: loadLater(async () => (await import('./queries/sites.ts')).siteQueries(context)),
    webhooks: loadLater(async () => (await import('./queries/webhooks.ts')).webhookQueries(context)),
    archive: loadLater(async () => (await import('./queries/archive.ts')).archiveQueries(context)),
    statements: loadLater(async () => (await import('./queries/statements.ts')).statementQueries(context)),
    transactions: loadLater(async () =>
      (await import('./queries/statements.ts')).transactionQueries(context),
    ),
    subscriptions: loadLater(async () =>
      (await import('./queries/statements.ts')).subscriptionQueries(context),
    ),
    allocations: loadLater(async () => (await import('./queries/allocations.ts')).allocationQueries(context)),
    sync: loadLater(async () => (await import('./queries/sync.ts')).syncQueries(context)),
    replay: loadLater(async () => (await import('./queries/replay.ts')).replayQueries(context)),
    incidents: loadLater(async () => (await import('./queries/incidents.ts')).incidentQueries(context)),
    missingWebhooks: loadLater(async () =>
      (await import('./queries/missing-webhooks.ts')).missingWebhookQueries(context),
    ),
    alerts: loadLater(async () => (await import('./queries/alerts.ts')).alertQueries(context)),
    check: loadLater(async () => (await import('./queries/checks.ts')).checkQueries(context)),
    exceptions: loadLater(async () => (await import('./queries/checks.ts')).exceptionQueries(context)),
    bank: loadLater(async () => (await import('./queries/bank.ts')).bankQueries(context)),
    comments: loadLater(async () => (await import('./queries/comments.ts')).commentQueries(context)),
    match: loadLater(async () => (await import('./queries/match.ts')).matchQueries(context)),
    ledger: loadLater(async () => (await import('./queries/general-ledger.ts')).ledgerQueries(context)),
    journal: loadLater(async () => (await import('./queries/general-ledger.ts')).journalQueries(context)),
    workpapers: loadLater(async () => (await import('./queries/periods.ts')).workpaperQueries(context)),
    packs: loadLater(async () => (await import('./queries/periods.ts')).evidencePackQueries(context)),
    reports: loadLater(async () => (await import('./queries/periods.ts')).reportQueries(context)),
    people: loadLater(async () => (await import('./queries/periods.ts')).peopleQueries(context)),
    periods: loadLater(async () => (await import('./queries/periods.ts')).periodQueries(context)),
    audit: loadLater(async () => (await import('./queries/checks.ts')).auditQueries(context)),
    backups: loadLater(async () => (await import('./queries/archive.ts')).backupQueries(context)),
    jobs: loadLater(async () => (await import('./queries/jobs.ts')).jobQueries(context)),
    search: loadLater(async () => (await import('./queries/search.ts')).searchQueries(context)),
    settings: loadLater(async () => (await import('./queries/app.ts')).settingsQueries(context)),
    app: loadLater(async () => (await import('./queries/app.ts')).appQueries(context)),
  };
}
