import { allocationWords } from './allocations.ts';
import { archiveWords } from './archive.ts';
import { auditWords } from './audit.ts';
import { backupWords } from './backups.ts';
import { bankWords } from './bank.ts';
import { changeWords } from './changes.ts';
import { exceptionWords, ruleWords } from './exceptions.ts';
import { controlWords, filterWords, frameWords, gridWords, paletteWords, reasonWords } from './frame.ts';
import { matchRuleWords } from './match-rules.ts';
import { matchingWords } from './matching.ts';
import { outageWords } from './outages.ts';
import { overviewWords } from './overview.ts';
import { paymentWords } from './payments.ts';
import { payoutWords } from './payouts.ts';
import { pdfWords } from './pdf.ts';
import { periodWords } from './periods.ts';
import { replayWords } from './replay.ts';
import { settingsWords, siteWords } from './sites.ts';
import { statementWords, subscriptionWords } from './statements.ts';
import { storyWords } from './story.ts';
import { errorWords, jobWords, syncWords } from './sync.ts';
import { webhookWords } from './webhooks.ts';

/** Every text of the window, by the part that shows it. Error codes have theirs in `errors/error-words.ts`. */
export const words = {
  frame: frameWords,
  controls: controlWords,
  grid: gridWords,
  filters: filterWords,
  palette: paletteWords,
  reason: reasonWords,
  overview: overviewWords,
  exceptions: exceptionWords,
  rules: ruleWords,
  webhooks: webhookWords,
  outages: outageWords,
  replay: replayWords,
  statements: statementWords,
  pdf: pdfWords,
  subscriptions: subscriptionWords,
  story: storyWords,
  allocations: allocationWords,
  changes: changeWords,
  bank: bankWords,
  matching: matchingWords,
  periods: periodWords,
  payments: paymentWords,
  payouts: payoutWords,
  matchRules: matchRuleWords,
  archive: archiveWords,
  audit: auditWords,
  backups: backupWords,
  sync: syncWords,
  jobs: jobWords,
  sites: siteWords,
  settings: settingsWords,
  errors: errorWords,
} as const;
