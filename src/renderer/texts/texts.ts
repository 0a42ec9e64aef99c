import { alertTexts } from './alerts.ts';
import { allocationChangeTexts } from './allocation-changes.ts';
import { allocationTexts } from './allocations.ts';
import { archiveTexts } from './archive.ts';
import { auditTexts } from './audit.ts';
import { backupTexts } from './backups.ts';
import { bankTexts } from './bank.ts';
import { commentTexts } from './comments.ts';
import { checkRuleTexts, exceptionTexts } from './exceptions.ts';
import { generalLedgerTexts } from './general-ledger.ts';
import { helpTexts } from './help.ts';
import { incidentTexts } from './incidents.ts';
import { matchRuleTexts } from './match-rules.ts';
import { matchingTexts } from './matching.ts';
import { missingWebhookTexts } from './missing-webhooks.ts';
import { outageTexts } from './outages.ts';
import { overviewTexts } from './overview.ts';
import { paymentTexts, payoutTexts } from './payments.ts';
import { pdfTexts } from './pdf.ts';
import { periodTexts } from './periods.ts';
import { replayTexts } from './replay.ts';
import { settingsTexts, siteTexts } from './sites.ts';
import { statementTexts, subscriptionActivityTexts, subscriptionTexts } from './statements.ts';
import { syncTexts } from './sync.ts';
import { timeZoneTexts } from './time-zones.ts';
import { webhookTexts } from './webhooks.ts';
import {
  commandPaletteTexts,
  controlTexts,
  decisionReasonTexts,
  errorMessageTexts,
  filterTexts,
  frameTexts,
  gridTexts,
  jobTexts,
  savingTexts,
} from './window-frame.ts';

/** All texts of the window, grouped by the part that shows them. Texts for error codes are in `errors/error-texts.ts`. */
export const texts = {
  frame: frameTexts,
  timeZones: timeZoneTexts,
  controls: controlTexts,
  grid: gridTexts,
  filters: filterTexts,
  palette: commandPaletteTexts,
  help: helpTexts,
  reason: decisionReasonTexts,
  overview: overviewTexts,
  exceptions: exceptionTexts,
  comments: commentTexts,
  rules: checkRuleTexts,
  webhooks: webhookTexts,
  outages: outageTexts,
  incidents: incidentTexts,
  missingWebhooks: missingWebhookTexts,
  alerts: alertTexts,
  replay: replayTexts,
  statements: statementTexts,
  pdf: pdfTexts,
  subscriptions: subscriptionTexts,
  activity: subscriptionActivityTexts,
  allocations: allocationTexts,
  changes: allocationChangeTexts,
  bank: bankTexts,
  matching: matchingTexts,
  periods: periodTexts,
  generalLedger: generalLedgerTexts,
  payments: paymentTexts,
  payouts: payoutTexts,
  matchRules: matchRuleTexts,
  archive: archiveTexts,
  audit: auditTexts,
  backups: backupTexts,
  sync: syncTexts,
  jobs: jobTexts,
  saving: savingTexts,
  sites: siteTexts,
  settings: settingsTexts,
  errors: errorMessageTexts,
} as const;
