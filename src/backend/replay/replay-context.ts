import type { PacingOptions } from '../../billing/index.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ShellClient } from '../shared/start-options.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import type { SiteLocks } from '../sites/site-lock.ts';

export interface ReplayContext {
  home: string;
  shell: ShellClient;
  stores: SiteDatabases;
  jobs: Jobs;
  locks: SiteLocks;
  changes: ChangeEvents;
  unexpected: (error: unknown, doing: string) => string;
  user: string;
  now: () => number;
  pacing?: PacingOptions | undefined;
  waits: number;
}
