/** The complete interface between the backend and its clients: the window, the command line and the tests. */
import type {
  ContractRouterClient,
  InferContractRouterInputs,
  InferContractRouterOutputs,
} from '@orpc/contract';
import { allocationProcedures } from './allocations/allocations.ts';
import { appProcedures } from './app/app.ts';
import { auditProcedures } from './app/audit.ts';
import { backupProcedures } from './app/backups.ts';
import { changeEventProcedures } from './app/change-events.ts';
import { jobProcedures } from './app/jobs.ts';
import { searchProcedures } from './app/search.ts';
import { settingsProcedures } from './app/settings.ts';
import { siteProcedures } from './app/sites.ts';
import { syncProcedures } from './app/sync.ts';
import { archiveProcedures } from './archive/archive.ts';
import { bankProcedures } from './bank/bank.ts';
import { checkProcedures } from './checks/checks.ts';
import { exceptionProcedures } from './checks/exceptions.ts';
import { commentProcedures } from './comments/comments.ts';
import { evidencePackProcedures } from './evidence-packs/evidence-packs.ts';
import { journalProcedures } from './general-ledger/journal.ts';
import { ledgerProcedures } from './general-ledger/ledger.ts';
import { matchProcedures } from './matching/matching.ts';
import { peopleProcedures } from './people/people.ts';
import { periodProcedures } from './periods/periods.ts';
import { reportProcedures } from './periods/reports.ts';
import { workpaperProcedures } from './periods/workpapers.ts';
import { statementProcedures } from './statements/statements.ts';
import { transactionProcedures } from './statements/transactions.ts';
import { subscriptionProcedures } from './subscriptions/subscriptions.ts';
import { alertProcedures } from './webhooks/alerts.ts';
import { incidentProcedures } from './webhooks/incidents.ts';
import { missingWebhookProcedures } from './webhooks/missing-webhooks.ts';
import { replayProcedures } from './webhooks/replay.ts';
import { webhookProcedures } from './webhooks/webhooks.ts';

export const backendContract = {
  sites: siteProcedures,
  webhooks: webhookProcedures,
  statements: statementProcedures,
  transactions: transactionProcedures,
  subscriptions: subscriptionProcedures,
  allocations: allocationProcedures,
  sync: syncProcedures,
  replay: replayProcedures,
  incidents: incidentProcedures,
  missingWebhooks: missingWebhookProcedures,
  alerts: alertProcedures,
  check: checkProcedures,
  exceptions: exceptionProcedures,
  comments: commentProcedures,
  archive: archiveProcedures,
  bank: bankProcedures,
  match: matchProcedures,
  ledger: ledgerProcedures,
  journal: journalProcedures,
  people: peopleProcedures,
  periods: periodProcedures,
  workpapers: workpaperProcedures,
  reports: reportProcedures,
  packs: evidencePackProcedures,
  audit: auditProcedures,
  backups: backupProcedures,
  jobs: jobProcedures,
  search: searchProcedures,
  changes: changeEventProcedures,
  settings: settingsProcedures,
  app: appProcedures,
};

export type BackendContract = typeof backendContract;
export type BackendClient = ContractRouterClient<BackendContract>;
export type ContractInputs = InferContractRouterInputs<BackendContract>;
export type ContractOutputs = InferContractRouterOutputs<BackendContract>;
