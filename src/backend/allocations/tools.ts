import type { PacingOptions } from '../../billing/index.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ShellClient } from '../shared/start-options.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';

/** Dependencies for drafting, sending and deciding changes. */
export interface AllocationContext {
  home: string;
  /** The user's name, for drafts and the audit log. */
  user: string;
  shell: ShellClient;
  stores: SiteDatabases;
  jobs: Jobs;
  changes: ChangeEvents;
  unexpected: (error: unknown, doing: string) => string;
  now: () => number;
  pacing?: PacingOptions | undefined;
  /** Factor for every delay. 1 in production. */
  waits: number;
}
