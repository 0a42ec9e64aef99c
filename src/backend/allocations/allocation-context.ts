import type { PacingOptions } from '../../billing/index.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ShellClient } from '../shared/start-options.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';

/** Dependencies for creating, sending and deciding allocation changes. */
export interface AllocationContext {
  home: string;
  /** Name of the user, recorded in drafts and in the audit log. */
  user: string;
  shell: ShellClient;
  stores: SiteDatabases;
  jobs: Jobs;
  changes: ChangeEvents;
  unexpected: (error: unknown, doing: string) => string;
  now: () => number;
  pacing?: PacingOptions | undefined;
  /** Factor by which every delay is multiplied. 1 in production. */
  waits: number;
}
