import type { Allocation, AllocationEntry } from '../../contract/index.ts';
import { subtractQuantity } from '../../domain/ledger/quantities.ts';
import type { ValueStep } from '../plots/step-plot.tsx';
import { parseInstant } from '../texts/moments.ts';

/** A history (newest first) as steps, oldest first; begins at the quantity before the oldest change held. */
export function toQuantitySteps(history: readonly AllocationEntry[]): ValueStep[] {
  const steps = history.flatMap((allocation): ValueStep[] => {
    const at = parseInstant(allocation.timestamp);
    if (at === null) return [];
    const way = ways[allocation.direction];
    return [{ at, value: Number(allocation.quantity), ...(way && { direction: way }) }];
  });
  return steps.reverse();
}

const ways = { upgrade: 'up', downgrade: 'down', none: null } as const;

/** How much a change added or took away, exactly: decimal text where a quantity is a fraction. */
export function subtractPreviousQuantity(
  allocation: Pick<Allocation, 'quantity' | 'previous_quantity'>,
): number | string {
  return subtractQuantity(allocation.previous_quantity, allocation.quantity);
}
