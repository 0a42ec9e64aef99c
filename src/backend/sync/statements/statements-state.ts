import type { PageSize } from '../shared/page-size.ts';

/** Knowledge about the statements as a whole, stored between runs. Instants are UTC milliseconds, local clock. */
export interface StatementsState {
  /** True if the service lists ids in ascending order. */
  ascending: boolean;
  /** Last time the complete id list was read. */
  listed_at: number | null;
  /** Page size of the site's id list. */
  ids: PageSize;
  /** Page size of a subscription's statement list. */
  size: PageSize;
  /** Last time all statements that may still change were read. */
  refreshed_at: number | null;
}
