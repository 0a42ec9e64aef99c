import type { PageSize } from '../shared/page-size.ts';

/**
 * Facts about a site's statement lists that are stored between syncs. Instants are UTC milliseconds by the local clock.
 */
export interface StatementSyncState {
  /** True if the service lists statement ids in ascending order. */
  ascending: boolean;
  /** Time at which the complete id list was last read. */
  listed_at: number | null;
  /** Page size of the site's statement id list. */
  ids: PageSize;
  /** Page size of a subscription's statement list. */
  size: PageSize;
  /** Time at which all statements that may still change were last read. */
  refreshed_at: number | null;
}
