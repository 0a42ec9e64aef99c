import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lets this thread run behind the others where there are too few cores for all, so that a page in the window does not wait for rows
 * that are being stored. Only Linux has a priority for each thread; elsewhere the whole process would give way, so nothing is done.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Some sandboxes do not allow it: it then runs as the others do.
  }
}
