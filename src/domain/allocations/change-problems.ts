import type { AllocationChange, AllocationChangeProblem, QuantityChange } from '../../contract/index.ts';
import { compareQuantities, isSameQuantity, type Quantity } from '../ledger/index.ts';
import { capitalize } from '../text/capitalize.ts';

/** Local data about a subscription component. `missing` is set if the service has no such component. */
export interface LocalComponentState {
  readonly state: 'known' | 'unknown' | 'missing';
  /** Current quantity; null if the history is empty or not stored. */
  readonly quantity: Quantity | null;
  /** Sentence that says why the component is missing. */
  readonly missing?: string | undefined;
}

/** A change requested in a new or stored draft. */
export type RequestedQuantity = Pick<QuantityChange, 'subscription_id' | 'component_id'> & {
  readonly quantity: Quantity;
};

export type RepeatedChangeProblem = { readonly problem: AllocationChangeProblem; readonly text: string };

/** Returns the direction of a quantity change; null if the current quantity is unknown. */
export function findQuantityChangeDirection(
  from: Quantity | null,
  to: Quantity | null,
): Exclude<AllocationChange['direction'], null> | null {
  if (from === null || to === null) return null;
  const difference = compareQuantities(to, from);
  return difference > 0 ? 'upgrade' : difference < 0 ? 'downgrade' : 'none';
}

/** Returns the proration scheme for the direction of a change. Null means that the service's own setting applies. */
export function findProrationScheme(
  schemes: {
    readonly proration_upgrade_scheme?: string | null | undefined;
    readonly proration_downgrade_scheme?: string | null | undefined;
  },
  direction: AllocationChange['direction'],
): string | null {
  if (direction === 'upgrade') return schemes.proration_upgrade_scheme || null;
  if (direction === 'downgrade') return schemes.proration_downgrade_scheme || null;
  return null;
}

/** Returns the problem that prevents a change from being sent, based on local data; null if there is none. */
export function findAllocationChangeProblem(
  change: RequestedQuantity,
  local: LocalComponentState,
): RepeatedChangeProblem | null {
  const { subscription_id, component_id, quantity } = change;
  const componentText = `component ${component_id} on subscription ${subscription_id}`;
  if (local.state === 'missing')
    return { problem: 'missing', text: local.missing ?? `The service has no ${componentText}.` };
  if (local.state === 'unknown') {
    return {
      problem: 'unknown_component',
      text: `No data is stored for ${componentText}. Refresh it from the service.`,
    };
  }
  if (local.quantity !== null && isSameQuantity(local.quantity, quantity))
    return { problem: 'no_change', text: `The quantity is already ${quantity}.` };
  return null;
}

/**
 * Finds changes for the same subscription component. If they agree, all but the first are duplicates. If they differ,
 * none of them can be sent. `name` describes a position in the list, for example `line 7`.
 */
export function findRepeatedAllocationChanges(
  changes: readonly (RequestedQuantity | null)[],
  name: (index: number) => string,
): ReadonlyMap<number, RepeatedChangeProblem> {
  const problems = new Map<number, RepeatedChangeProblem>();
  const indexes = changes.keys().filter((index) => changes[index] !== null);
  const groups = Map.groupBy(indexes, (index) => {
    const { subscription_id, component_id } = changes[index] as RequestedQuantity;
    return `${subscription_id}/${component_id}`;
  });
  for (const group of groups.values()) {
    const quantities = group.map((index) => (changes[index] as RequestedQuantity).quantity);
    const first = group[0] as number;
    const isUniform = quantities.every((quantity) => isSameQuantity(quantity, quantities[0] as Quantity));
    for (const index of isUniform ? group.slice(1) : group) {
      problems.set(
        index,
        isUniform ? describeDuplicate(name(first)) : describeContradiction(index, group, name),
      );
    }
  }
  return problems;
}

const describeDuplicate = (firstName: string): RepeatedChangeProblem => ({
  problem: 'duplicate',
  text: `${capitalize(firstName)} contains the same change.`,
});

function describeContradiction(
  index: number,
  group: readonly number[],
  name: (index: number) => string,
): RepeatedChangeProblem {
  const others = group.filter((each) => each !== index).slice(0, 3);
  const text = `${capitalize(others.map(name).join(', '))} ${others.length === 1 ? 'has' : 'have'} a different quantity. None of these changes is sent.`;
  return { problem: 'contradiction', text };
}
