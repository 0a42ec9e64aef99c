import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of this thread, so that the window does not wait while rows are stored. Only Linux has per-thread
 * priorities; elsewhere nothing is done, because it would affect the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Some sandboxes do not allow it: it then runs as the others do.
  }
}
