import { ALLOCATIONS_PER_PAGE } from './allocation-rows.ts';
import { computeMinimumSubscriptionRequests } from './statement-fetch-plan.ts';

/**
 * Counts from which a sync's request minimum is computed. Only a short or an empty page proves that a list is complete,
 * so reading N rows in pages of P takes at least floor(N / P) + 1 requests.
 */
export interface RequestMinimumInputs {
  webhooks: {
    rowsPerPage: number;
    /** Rows in the windows of the webhook log that were read from their start. Null if no window was read. */
    backfilled: number | null;
    /** New rows in the newest part of the webhook log. Null if that part was not read. */
    arrived: number | null;
    /** Failed webhooks that had to be read: all, or those on the list's last page. Null if the list was not read. */
    failed: number | null;
    /** Webhooks that are no longer on the list of failed webhooks and had to be read again. */
    departed: number;
  };
  statements: {
    ids: number | null;
    idsPerPage: number;
    rowsPerPage: number;
    /** Number of requested statements and number of all statements, per subscription of which any were fetched. */
    requested: { ids: number; all: number }[];
    /** Number of subscriptions that were found only by reading a statement. */
    discovered: number;
  };
  /** Number of new rows per allocation history that was read, or of all rows if the history was read completely. */
  allocations: { rows: number; isComplete: boolean }[];
  pdfs: number;
}

const countPagesToReadAll = (rows: number, perPage: number) => Math.floor(rows / perPage) + 1;

export function computeMinimumRequests({
  webhooks,
  statements,
  allocations,
  pdfs,
}: RequestMinimumInputs): number {
  const { rowsPerPage, backfilled, arrived, failed, departed } = webhooks;
  let least = 0;
  if (backfilled !== null) least += countPagesToReadAll(backfilled + (arrived ?? 0), rowsPerPage);
  else if (arrived !== null) least += Math.ceil((arrived + 1) / rowsPerPage);
  if (failed !== null) least += countPagesToReadAll(failed, rowsPerPage);
  least += Math.ceil(departed / rowsPerPage);

  if (statements.ids !== null) least += countPagesToReadAll(statements.ids, statements.idsPerPage);
  for (const { ids, all } of statements.requested) {
    least += computeMinimumSubscriptionRequests(ids, all, statements.rowsPerPage);
  }
  least += statements.discovered;

  for (const { rows, isComplete } of allocations) {
    least += isComplete
      ? countPagesToReadAll(rows, ALLOCATIONS_PER_PAGE)
      : Math.ceil((rows + 1) / ALLOCATIONS_PER_PAGE);
  }
  return least + pdfs;
}
