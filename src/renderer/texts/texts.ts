import { allocationWords } from './allocations.ts';
import { archiveWords } from './archive.ts';
import { auditWords } from './audit.ts';
import { backupWords } from './backups.ts';
import { bankTexts } from './bank.ts';
import { changeWords } from './changes.ts';
import { exceptionTexts, ruleTexts } from './exceptions.ts';
import { controlWords, filterWords, frameWords, gridWords, paletteWords, reasonWords } from './frame.ts';
import { matchRuleTexts } from './match-rules.ts';
import { matchingTexts } from './matching.ts';
import { outageWords } from './outages.ts';
import { overviewTexts } from './overview.ts';
import { paymentTexts, payoutTexts } from './payments.ts';
import { pdfWords } from './pdf.ts';
import { periodTexts } from './periods.ts';
import { replayWords } from './replay.ts';
import { settingsWords, siteWords } from './sites.ts';
import { statementWords, subscriptionWords } from './statements.ts';
import { activityWords } from './story.ts';
import { errorWords, jobWords, syncWords } from './sync.ts';
import { webhookWords } from './webhooks.ts';

/** Every text of the window, by the part that shows it. Error codes have theirs in `errors/error-words.ts`. */
export const texts = {
  frame: frameWords,
  controls: controlWords,
  grid: gridWords,
  filters: filterWords,
  palette: paletteWords,
  reason: reasonWords,
  overview: overviewTexts,
  exceptions: exceptionTexts,
  rules: ruleTexts,
  webhooks: webhookWords,
  outages: outageWords,
  replay: replayWords,
  statements: statementWords,
  pdf: pdfWords,
  subscriptions: subscriptionWords,
  activity: activityWords,
  allocations: allocationWords,
  changes: changeWords,
  bank: bankTexts,
  matching: matchingTexts,
  periods: periodTexts,
  payments: paymentTexts,
  payouts: payoutTexts,
  matchRules: matchRuleTexts,
  archive: archiveWords,
  audit: auditWords,
  backups: backupWords,
  sync: syncWords,
  jobs: jobWords,
  sites: siteWords,
  settings: settingsWords,
  errors: errorWords,
} as const;
