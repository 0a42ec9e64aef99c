import type { CommandContext } from '../jobs/command-context.ts';

/** Dependencies for creating, sending and deciding allocation changes. */
export interface AllocationContext extends CommandContext {
  /** Factor by which every delay is multiplied. 1 in production. */
  readonly delayScale: number;
}
