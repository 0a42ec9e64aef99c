import { leastForSubscription } from './bodies.ts';
import { ALLOCATIONS_PER_PAGE } from './history.ts';

/**
 * The least requests with which a sync could have learned what it learned: a list is known complete only by a short or an
 * empty page, so N rows in pages of P cost floor(N / P) + 1.
 */
export interface Learned {
  webhooks: {
    rowsPerPage: number;
    /** Rows in the stretches of the log read from their beginning; null where none was. */
    backfilled: number | null;
    /** Rows the tail brought that were not held; null where no tail was read. */
    arrived: number | null;
    /** Rows of `status=failed` that had to be read: all, or those of its last page; null where it was not read. */
    failed: number | null;
    /** Rows known to have left the failed ones, whose fields had to be read. */
    departed: number;
  };
  statements: {
    ids: number | null;
    idsPerPage: number;
    rowsPerPage: number;
    /** Of each subscription of which statements were fetched: how many were wanted, how many it has. */
    wanted: { ids: number; all: number }[];
    /** Subscriptions that only the reading of a statement could make known. */
    discovered: number;
  };
  /** Rows of each pair's history that was read: those not held before, or all; and whether to its end. */
  allocations: { rows: number; whole: boolean }[];
  pdfs: number;
}

const pagesOf = (rows: number, perPage: number) => Math.floor(rows / perPage) + 1;

export function leastRequests({ webhooks, statements, allocations, pdfs }: Learned): number {
  const { rowsPerPage, backfilled, arrived, failed, departed } = webhooks;
  let least = 0;
  if (backfilled !== null) least += pagesOf(backfilled + (arrived ?? 0), rowsPerPage);
  else if (arrived !== null) least += Math.ceil((arrived + 1) / rowsPerPage);
  if (failed !== null) least += pagesOf(failed, rowsPerPage);
  least += Math.ceil(departed / rowsPerPage);

  if (statements.ids !== null) least += pagesOf(statements.ids, statements.idsPerPage);
  for (const { ids, all } of statements.wanted) {
    least += leastForSubscription(ids, all, statements.rowsPerPage);
  }
  least += statements.discovered;

  for (const { rows, whole } of allocations) {
    least += whole ? pagesOf(rows, ALLOCATIONS_PER_PAGE) : Math.ceil((rows + 1) / ALLOCATIONS_PER_PAGE);
  }
  return least + pdfs;
}
