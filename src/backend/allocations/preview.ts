import type { WantedChange } from '../../contract/index.ts';
import {
  changeDirectionOf,
  findChangeProblem,
  findRepeatedChanges,
  type LocalComponentState,
} from '../../domain/allocations/index.ts';
import type { StoredChange } from '../store/allocations/allocation-draft.ts';
import { findStoredQuantity } from '../store/allocations/stored-quantity.ts';
import { type ComponentKey, isKnownSubscription } from '../store/allocations/subscription-component.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Returns which of the two ids of a missing subscription component is unknown, according to stored data. */
function missingText(cache: ReadableDb, { subscription_id, component_id }: ComponentKey): string {
  return isKnownSubscription(cache, subscription_id)
    ? `The service has no component ${component_id} on subscription ${subscription_id}.`
    : `The service has no subscription ${subscription_id}, or no component ${component_id} on it.`;
}

/**
 * Computes from stored data what changes would do: the quantity in effect, the direction, and problems. `told` holds
 * sentences about missing subscription components by `subscription/component`, if more is known about them.
 */
export function previewChanges(
  cache: ReadableDb,
  changes: readonly StoredChange[],
  told: ReadonlyMap<string, string> = new Map(),
): StoredChange[] {
  const wanted = changes.map(requestedChange);
  const repeats = findRepeatedChanges(wanted, (at) => changeName(changes[at] as StoredChange));
  return changes.map((change, at) => {
    const asked = wanted[at] ?? null;
    if (asked === null) return change;
    const sight = sightOf(cache, asked, told);
    const found = repeats.get(at) ?? findChangeProblem(asked, sight);
    return {
      ...change,
      current_quantity: sight.quantity,
      direction: changeDirectionOf(sight.quantity, asked.quantity),
      problem: found?.problem ?? null,
      problem_text: found?.text ?? null,
    };
  });
}

function sightOf(
  cache: ReadableDb,
  component: ComponentKey,
  told: ReadonlyMap<string, string>,
): LocalComponentState {
  const sight = findStoredQuantity(cache, component);
  if (sight.state !== 'missing') return sight;
  const missing =
    told.get(`${component.subscription_id}/${component.component_id}`) ?? missingText(cache, component);
  return { ...sight, missing };
}

/** Returns how to name a change to people: by its line if it came from a file. */
export function changeName({ line, ordinal }: Pick<StoredChange, 'line' | 'ordinal'>): string {
  return line === null ? `change ${ordinal + 1}` : `line ${line}`;
}

/** Returns the requested change, or null for an unreadable row. */
export function requestedChange(change: StoredChange): WantedChange | null {
  const { subscription_id, component_id, quantity } = change;
  if (subscription_id === null || component_id === null || quantity === null) return null;
  return { subscription_id, component_id, quantity };
}
