import type { Allocation, AllocationEntry } from '../../contract/index.ts';
import { differenceOf } from '../../domain/ledger/quantities.ts';
import type { Step } from '../plots/step-plot.tsx';
import { instantOf } from '../words/moments.ts';

/** A history (newest first) as steps, oldest first; begins at the quantity before the oldest change held. */
export function stepsOf(history: readonly AllocationEntry[]): Step[] {
  const steps = history.flatMap((allocation): Step[] => {
    const at = instantOf(allocation.timestamp);
    if (at === null) return [];
    const way = ways[allocation.direction];
    return [{ at, value: Number(allocation.quantity), ...(way && { way }) }];
  });
  return steps.reverse();
}

const ways = { upgrade: 'up', downgrade: 'down', none: null } as const;

/** How much a change added or took away, exactly: decimal text where a quantity is a fraction. */
export function changeOf(allocation: Pick<Allocation, 'quantity' | 'previous_quantity'>): number | string {
  return differenceOf(allocation.previous_quantity, allocation.quantity);
}
