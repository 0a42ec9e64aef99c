import {
  findAllocationChangeProblem,
  findQuantityChangeDirection,
  findRepeatedAllocationChanges,
  type RequestedQuantity,
} from '../../domain/allocations/index.ts';
import type { StoredAllocationChange } from '../store/allocations/allocation-draft.ts';
import { findLocalComponentState } from '../store/allocations/histories-to-read.ts';
import { type ComponentKey, isKnownSubscription } from '../store/allocations/subscription-component.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/**
 * Previews allocation changes from stored data: current quantity, direction and problems. `missingTexts` maps
 * `subscription/component` to a sentence that says what is missing.
 */
export function previewAllocationChanges(
  cache: ReadableDb,
  changes: readonly StoredAllocationChange[],
  missingTexts: ReadonlyMap<string, string> = new Map(),
): StoredAllocationChange[] {
  const wantedChanges = changes.map(toRequestedQuantityChange);
  const repeats = findRepeatedAllocationChanges(wantedChanges, (at) =>
    describeAllocationChange(changes[at] as StoredAllocationChange),
  );
  return changes.map((change, at) => {
    const wanted = wantedChanges[at] ?? null;
    if (wanted === null) return change;
    const stored = findLocalComponentState(cache, wanted);
    const missing =
      stored.state === 'missing' &&
      (missingTexts.get(formatSubscriptionComponent(wanted)) ?? explainMissingComponent(cache, wanted));
    const problem =
      repeats.get(at) ?? findAllocationChangeProblem(wanted, missing ? { ...stored, missing } : stored);
    return {
      ...change,
      current_quantity: stored.quantity,
      direction: findQuantityChangeDirection(stored.quantity, wanted.quantity),
      problem: problem?.problem ?? null,
      problem_text: problem?.text ?? null,
    };
  });
}

/** Returns a sentence that says whether the subscription or the component is missing, as far as stored data shows. */
function explainMissingComponent(cache: ReadableDb, { subscription_id, component_id }: ComponentKey): string {
  return isKnownSubscription(cache, subscription_id)
    ? `The service has no component ${component_id} on subscription ${subscription_id}.`
    : `The service has no subscription ${subscription_id}, or no component ${component_id} on it.`;
}

/** Formats a subscription component as `subscription/component`. */
export function formatSubscriptionComponent({ subscription_id, component_id }: ComponentKey): string {
  return `${subscription_id}/${component_id}`;
}

/** Returns a phrase that names an allocation change in messages: its line in the file, or its position in the draft. */
export function describeAllocationChange({
  line,
  ordinal,
}: Pick<StoredAllocationChange, 'line' | 'ordinal'>): string {
  return line === null ? `change ${ordinal + 1}` : `line ${line}`;
}

/** Returns the requested quantity of a stored change, or null if the change's row in the file could not be read. */
export function toRequestedQuantityChange(change: StoredAllocationChange): RequestedQuantity | null {
  const { subscription_id, component_id, quantity } = change;
  if (subscription_id === null || component_id === null || quantity === null) return null;
  return { subscription_id, component_id, quantity };
}
