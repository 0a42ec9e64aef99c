import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of this thread, so that storing rows does not slow down the window. Only Linux has per-thread
 * priorities. On other systems the call would affect the whole process, so nothing is done.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Some sandboxes do not allow it: it then runs as the others do.
  }
}
