import type { BillingClient } from '../../../billing/index.ts';
import type { Topic } from '../../jobs/change-events.ts';
import type { JobHandle } from '../../jobs/job-handle.ts';
import type { OpenSite } from '../../sites/open-site.ts';
import type { RunTally } from './tally.ts';

/** Dependencies shared by all parts of a sync. */
export interface SyncContext {
  readonly site: OpenSite;
  readonly client: BillingClient;
  readonly job: JobHandle;
  readonly tally: RunTally;
  /** True if everything is to be read again. */
  readonly full: boolean;
  /** First day of webhooks to read on a first sync. */
  readonly since: string | null;
  /** Local clock, UTC milliseconds. */
  now(): number;
  /** Emits change events for stored data. */
  tell(...topics: Topic[]): void;
}
