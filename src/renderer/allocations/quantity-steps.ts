import type { Allocation, AllocationDetail } from '../../contract/index.ts';
import { computeQuantityDifference } from '../../domain/ledger/quantities.ts';
import type { ValueStep } from '../plots/step-plot.tsx';
import { parseDateTime } from '../texts/date-times.ts';

/** Converts an allocation history (newest first) to chart steps (oldest first). */
export function toQuantitySteps(history: readonly AllocationDetail[]): ValueStep[] {
  const steps = history.flatMap((allocation): ValueStep[] => {
    const at = parseDateTime(allocation.timestamp);
    if (at === null) return [];
    const direction = plotDirections[allocation.direction];
    return [{ at, value: Number(allocation.quantity), ...(direction && { direction: direction }) }];
  });
  return steps.reverse();
}

const plotDirections = { upgrade: 'up', downgrade: 'down', none: null } as const;

/** Returns the exact difference in quantity. The result is decimal text if either quantity is fractional. */
export function getQuantityDifference(
  allocation: Pick<Allocation, 'quantity' | 'previous_quantity'>,
): number | string {
  return computeQuantityDifference(allocation.previous_quantity, allocation.quantity);
}
