import { constants, getPriority, setPriority } from 'node:os';

/** Lowers this thread's priority, so that storing rows does not slow down the window. Only Linux supports it. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Some sandboxes forbid a lower priority. The thread then keeps its normal priority.
  }
}
