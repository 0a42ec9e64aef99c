import type { WantedChange } from '../../contract/index.ts';
import {
  findChangeDirection,
  findChangeProblem,
  findRepeatedChanges,
  type LocalComponentState,
} from '../../domain/allocations/index.ts';
import type { StoredChange } from '../store/allocations/allocation-draft.ts';
import { findStoredQuantity } from '../store/allocations/stored-quantity.ts';
import { type ComponentKey, isKnownSubscription } from '../store/allocations/subscription-component.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Returns a sentence that names the missing subscription or component, as far as stored data shows which is missing. */
function explainMissingComponent(cache: ReadableDb, { subscription_id, component_id }: ComponentKey): string {
  return isKnownSubscription(cache, subscription_id)
    ? `The service has no component ${component_id} on subscription ${subscription_id}.`
    : `The service has no subscription ${subscription_id}, or no component ${component_id} on it.`;
}

/**
 * Previews changes from stored data: the current quantity, the direction of the change, and problems. `missingTexts` has
 * sentences about missing subscription components by `subscription/component`.
 */
export function previewAllocationChanges(
  cache: ReadableDb,
  changes: readonly StoredChange[],
  missingTexts: ReadonlyMap<string, string> = new Map(),
): StoredChange[] {
  const wanted = changes.map(toWantedChange);
  const repeats = findRepeatedChanges(wanted, (at) => allocationChangeName(changes[at] as StoredChange));
  return changes.map((change, at) => {
    const asked = wanted[at] ?? null;
    if (asked === null) return change;
    const sight = componentState(cache, asked, missingTexts);
    const found = repeats.get(at) ?? findChangeProblem(asked, sight);
    return {
      ...change,
      current_quantity: sight.quantity,
      direction: findChangeDirection(sight.quantity, asked.quantity),
      problem: found?.problem ?? null,
      problem_text: found?.text ?? null,
    };
  });
}

function componentState(
  cache: ReadableDb,
  component: ComponentKey,
  missingTexts: ReadonlyMap<string, string>,
): LocalComponentState {
  const sight = findStoredQuantity(cache, component);
  if (sight.state !== 'missing') return sight;
  const missing =
    missingTexts.get(`${component.subscription_id}/${component.component_id}`) ??
    explainMissingComponent(cache, component);
  return { ...sight, missing };
}

/** Returns the name of a change for messages: its line number if it came from a file. */
export function allocationChangeName({ line, ordinal }: Pick<StoredChange, 'line' | 'ordinal'>): string {
  return line === null ? `change ${ordinal + 1}` : `line ${line}`;
}

/** Returns the requested change, or null if its row could not be read. */
export function toWantedChange(change: StoredChange): WantedChange | null {
  const { subscription_id, component_id, quantity } = change;
  if (subscription_id === null || component_id === null || quantity === null) return null;
  return { subscription_id, component_id, quantity };
}
