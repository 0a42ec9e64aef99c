import type { PacingOptions } from '../../billing/index.ts';
import type { Changes } from '../jobs/changes.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Stores } from '../sites/stores.ts';
import type { ShellClient } from '../start.ts';

/** What drafting, sending and settling changes needs of the writer. */
export interface AllocationTools {
  home: string;
  /** Who works here, for drafts and the audit log. */
  user: string;
  shell: ShellClient;
  stores: Stores;
  jobs: Jobs;
  changes: Changes;
  unexpected: (error: unknown, doing: string) => string;
  now: () => number;
  pacing?: PacingOptions | undefined;
  /** Every wait is multiplied by this. */
  waits: number;
}
