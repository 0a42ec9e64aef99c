import type { BillingClient } from '../../../billing/index.ts';
import type { ChangeTopic } from '../../jobs/change-events.ts';
import type { JobHandle } from '../../jobs/job-handle.ts';
import type { OpenSite } from '../../sites/open-site.ts';
import type { SyncTally } from './sync-tally.ts';

/** Dependencies shared by all parts of a sync. */
export interface SyncContext {
  readonly site: OpenSite;
  readonly client: BillingClient;
  readonly job: JobHandle;
  readonly tally: SyncTally;
  /** True if everything is read again, whether it may have changed or not. */
  readonly full: boolean;
  /** First day of the webhooks to read in a site's first sync. Null reads all. */
  readonly since: string | null;
  /** Returns the local time in UTC milliseconds. */
  now(): number;
  /** Emits change events after data was stored. */
  emit(...topics: ChangeTopic[]): void;
}
