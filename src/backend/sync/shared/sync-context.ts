import type { BillingClient } from '../../../billing/index.ts';
import type { ChangeTopic } from '../../jobs/change-events.ts';
import type { JobHandle } from '../../jobs/job-handle.ts';
import type { OpenSite } from '../../sites/open-site.ts';
import type { StoredClosedFigures } from '../../store/periods/closed-figures.ts';
import type { SyncTotals } from './sync-totals.ts';

/** Dependencies shared by all parts of a sync. */
export interface SyncContext {
  readonly site: OpenSite;
  readonly client: BillingClient;
  readonly job: JobHandle;
  readonly tally: SyncTotals;
  /** True for a full sync, which reads all records again, changed or not. */
  readonly full: boolean;
  /** Closed periods whose statements the sync reads again. */
  readonly closedPeriods: readonly StoredClosedFigures[];
  /** First day of the webhooks that a site's first sync reads. Null means all webhooks. */
  readonly since: string | null;
  /** Returns the current time by the local clock, in UTC milliseconds. */
  now(): number;
  /** Emits change events for these topics after data has been stored. */
  emit(...topics: ChangeTopic[]): void;
}
