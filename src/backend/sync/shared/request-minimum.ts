import { ALLOCATIONS_PER_PAGE } from './allocation-history-rows.ts';
import { computeMinimumStatementRequests } from './statement-fetch-plan.ts';

/**
 * Counts from which a sync's request minimum is computed. Only a short or empty page proves that a list is complete, so
 * N rows in pages of P take at least floor(N / P) + 1 requests.
 */
export interface RequestMinimumInputs {
  webhooks: {
    rowsPerPage: number;
    /** Number of rows read in windows of the webhook log. Null if no window was read. */
    backfilled: number | null;
    /** Number of new rows at the newest end of the webhook log. Null if the newest end was not read. */
    arrived: number | null;
    /** Number of failed webhooks to read: the entire list, or its last page. Null if the list was not read. */
    failed: number | null;
    /** Number of webhooks to look up because they have left the list of failed webhooks. */
    departed: number;
  };
  statements: {
    ids: number | null;
    idsPerPage: number;
    rowsPerPage: number;
    /** Per subscription with fetched statements: number of requested statements, and number of all statements. */
    requested: { ids: number; all: number }[];
    /** Number of subscriptions that were found only by reading a statement. */
    discovered: number;
  };
  /** Per allocation history read: number of new rows, or of all rows after a complete read. */
  allocations: { rows: number; isComplete: boolean }[];
  pdfs: number;
}

const countPagesToReadAll = (rows: number, perPage: number) => Math.floor(rows / perPage) + 1;

export function computeRequestMinimum({
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
    least += computeMinimumStatementRequests(ids, all, statements.rowsPerPage);
  }
  least += statements.discovered;

  for (const { rows, isComplete } of allocations) {
    least += isComplete
      ? countPagesToReadAll(rows, ALLOCATIONS_PER_PAGE)
      : Math.ceil((rows + 1) / ALLOCATIONS_PER_PAGE);
  }
  return least + pdfs;
}
