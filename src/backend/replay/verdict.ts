import type { LogState } from '../store/replay/replay.ts';
import { deliveryFields, type Resolution, type Underway } from './journal.ts';
import { outcomeOf, wasReplayed } from './outcome.ts';
import { doubt, patience } from './polling.ts';

/** What is to become of the webhooks underway. */
export interface Verdict {
  /** It is known what became of them, or has been waited for long enough. */
  resolutions: Resolution[];
  /** Doubtful ones that were sent after all. */
  certain: Underway[];
  /** Doubtful ones that were not: they are sent again. */
  again: Underway[];
}

/**
 * What the log says of each webhook underway. Of one that is not among those `seen` nothing is said, unless `all` were asked
 * for. `waits`: every wait is multiplied by it.
 */
export function judge(
  underway: readonly Underway[],
  { seen, all }: { seen: ReadonlyMap<number, LogState>; all: boolean },
  now: number,
  usual: number | null,
  waits: number,
): Verdict {
  const verdict: Verdict = { resolutions: [], certain: [], again: [] };
  for (const each of underway) {
    const { item, posted_at, doubtful } = each;
    const state = seen.get(item.webhook_id);
    const waited = (now - posted_at) / waits;
    if (state !== undefined) {
      const before = deliveryFields(item.before);
      const after = deliveryFields(state);
      const outcome = outcomeOf(before, after);
      if (outcome !== 'queued') {
        verdict.resolutions.push({ item, outcome, last_error: state.last_error });
        continue;
      }
      if (doubtful && wasReplayed(before, after)) {
        verdict.certain.push(each);
        continue;
      }
      if (doubtful && waited > doubt(usual)) {
        verdict.again.push(each);
        continue;
      }
    }
    if ((state !== undefined || all) && waited > patience(usual)) {
      const last_error = doubtful
        ? 'it cannot be told whether the service took it: its answer was lost, and the log does not show the webhook'
        : 'nothing was heard of it in time';
      verdict.resolutions.push({ item, outcome: 'unresolved', last_error });
    }
  }
  return verdict;
}
