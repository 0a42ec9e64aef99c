import type { BillingClient } from '../../billing/index.ts';
import type { Topic } from '../jobs/changes.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import type { OpenSite } from '../sites/stores.ts';
import type { RunTally } from './tally.ts';

/** What every part of a sync works with. */
export interface SyncContext {
  readonly site: OpenSite;
  readonly client: BillingClient;
  readonly job: JobHandle;
  readonly tally: RunTally;
  /** Everything is read again. */
  readonly full: boolean;
  /** Webhooks from this day on only, on a first sync. */
  readonly since: string | null;
  /** Our clock, ms UTC. */
  now(): number;
  /** Tells the window that something is stored. */
  tell(...topics: Topic[]): void;
}
