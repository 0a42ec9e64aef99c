import type { Allocation } from '../../contract/index.ts';
import type { Step } from '../plots/StepPlot.tsx';
import { instantOf } from '../words/moments.ts';

/** A history (newest first) as steps, oldest first; begins at the quantity before the oldest change held. */
export function stepsOf(history: readonly Allocation[]): Step[] {
  const steps = history.flatMap((allocation): Step[] => {
    const at = instantOf(allocation.timestamp);
    return at === null ? [] : [{ at, value: Number(allocation.quantity) }];
  });
  return steps.reverse();
}

/** How much a change added or took away, exactly; null where a quantity is a fraction. */
export function changeOf(allocation: Pick<Allocation, 'quantity' | 'previous_quantity'>): number | null {
  const { quantity, previous_quantity: before } = allocation;
  return typeof quantity === 'number' && typeof before === 'number' ? quantity - before : null;
}
