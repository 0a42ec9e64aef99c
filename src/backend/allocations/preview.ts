import type { WantedChange } from '../../contract/index.ts';
import { directionOf, type PairSight, problemOf, repeatsIn } from '../../domain/allocations/index.ts';
import type { StoredChange } from '../store/allocations/allocation-draft.ts';
import { isKnownSubscription, type PairKey } from '../store/allocations/pair.ts';
import { pairSight } from '../store/allocations/pair-sight.ts';
import type { ReadableDb } from '../store/database.ts';

/** Why a pair is missing, by what is held: which of the two ids it is. */
function missingText(cache: ReadableDb, { subscription_id, component_id }: PairKey): string {
  return isKnownSubscription(cache, subscription_id)
    ? `The service has no component ${component_id} on subscription ${subscription_id}.`
    : `The service has no subscription ${subscription_id}, or no component ${component_id} on it.`;
}

/**
 * What changes would do by what is held now: the quantity in effect, the way they go, what is wrong with them. `told` has
 * sentences about missing pairs, by `subscription/component`, where more is known of them.
 */
export function preview(
  cache: ReadableDb,
  changes: readonly StoredChange[],
  told: ReadonlyMap<string, string> = new Map(),
): StoredChange[] {
  const wanted = changes.map(wantedOf);
  const repeats = repeatsIn(wanted, (at) => placeName(changes[at] as StoredChange));
  return changes.map((change, at) => {
    const asked = wanted[at] ?? null;
    if (asked === null) return change;
    const sight = sightOf(cache, asked, told);
    const found = repeats.get(at) ?? problemOf(asked, sight);
    return {
      ...change,
      current_quantity: sight.quantity,
      direction: directionOf(sight.quantity, asked.quantity),
      problem: found?.problem ?? null,
      problem_text: found?.text ?? null,
    };
  });
}

function sightOf(cache: ReadableDb, pair: PairKey, told: ReadonlyMap<string, string>): PairSight {
  const sight = pairSight(cache, pair);
  if (sight.state !== 'missing') return sight;
  const missing = told.get(`${pair.subscription_id}/${pair.component_id}`) ?? missingText(cache, pair);
  return { ...sight, missing };
}

/** How a change is named to people: by its line where it came from a file. */
export function placeName({ line, ordinal }: Pick<StoredChange, 'line' | 'ordinal'>): string {
  return line === null ? `change ${ordinal + 1}` : `line ${line}`;
}

/** What a change asks for; null for a row that cannot be read. */
export function wantedOf(change: StoredChange): WantedChange | null {
  const { subscription_id, component_id, quantity } = change;
  if (subscription_id === null || component_id === null || quantity === null) return null;
  return { subscription_id, component_id, quantity };
}
