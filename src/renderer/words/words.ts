import { allocationWords } from './allocations.ts';
import { controlWords, filterWords, frameWords, gridWords, paletteWords } from './frame.ts';
import { replayWords } from './replay.ts';
import { settingsWords, siteWords } from './sites.ts';
import { statementWords, subscriptionWords } from './statements.ts';
import { errorWords, jobWords, syncWords } from './sync.ts';
import { webhookWords } from './webhooks.ts';

/** Every text of the window, by the part that shows it. Error codes have theirs in `errors/errorWords.ts`. */
export const words = {
  frame: frameWords,
  controls: controlWords,
  grid: gridWords,
  filters: filterWords,
  palette: paletteWords,
  webhooks: webhookWords,
  replay: replayWords,
  statements: statementWords,
  subscriptions: subscriptionWords,
  allocations: allocationWords,
  sync: syncWords,
  jobs: jobWords,
  sites: siteWords,
  settings: settingsWords,
  errors: errorWords,
} as const;
