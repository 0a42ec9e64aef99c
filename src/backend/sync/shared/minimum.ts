import { leastForSubscription } from './bodies.ts';
import { ALLOCATIONS_PER_PAGE } from './history.ts';

/**
 * Computes the minimum number of requests with which a sync could have learned the same. Only a short or an empty page
 * proves that a list is complete, so N rows in pages of P cost floor(N / P) + 1 requests.
 */
export interface Learned {
  webhooks: {
    rowsPerPage: number;
    /** Rows in the windows read from their beginning. Null if there were none. */
    backfilled: number | null;
    /** New rows in the newest part of the log. Null if that part was not read. */
    arrived: number | null;
    /** Rows of `status=failed` that had to be read: all, or those of its last page. Null if the list was not read. */
    failed: number | null;
    /** Rows known to have left the failed list, whose fields had to be read. */
    departed: number;
  };
  statements: {
    ids: number | null;
    idsPerPage: number;
    rowsPerPage: number;
    /** Per subscription with fetched statements: the number requested and the number it has. */
    wanted: { ids: number; all: number }[];
    /** Subscriptions that could be discovered only by reading a statement. */
    discovered: number;
  };
  /** Per allocation history read: the number of new rows, or of all rows, and whether it was read to its end. */
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
