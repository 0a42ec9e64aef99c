import { BillingError, isServiceUnreachable } from '../../../billing/index.ts';

export interface ListPageRequest {
  page: number;
  per_page: number;
}

/** Result of reading a page in one or several requests. */
export interface ListPageReadResult<Answer> {
  answers: { request: ListPageRequest; answer: Answer }[];
  /** Rows for which the service fails even if requested alone. `index` is a row's zero-based index in the list. */
  poisonRows: { index: number; error: BillingError }[];
}

/** Returns the error if the requested rows may have caused it, so that other rows may be readable. Otherwise null. */
export function toPoisonRowError(error: unknown): BillingError | null {
  if (!(error instanceof BillingError)) return null;
  if (error.code === 'timeout' || error.code === 'network') return isServiceUnreachable(error) ? null : error;
  const isCausedByAccount = error.detail['reason'] === 'redirect' || error.detail['reason'] === 'refused';
  return error.code === 'service' && !isCausedByAccount ? error : null;
}

/** Returns the error for a service that repeatedly returns a page other than the requested one. */
export function repeatedPageError(listName: string): BillingError {
  return new BillingError(
    'service',
    `The service keeps returning the same page of ${listName} instead of the next one.`,
    { hint: 'Stored data is kept. Try again later.', retryable: true },
  );
}

/** Number of failed single rows at which, without any success, the service is at fault. Chosen by judgment. */
const MAX_FAILED_ROWS = 4;

/**
 * Reads a page. If the service fails on the page, reads it in halves (or thirds, depending on its size), down to single
 * rows: page k of size n equals pages f(k-1)+1 to fk of size n / f. Throws if the rows are not the cause or if no row
 * can be read.
 */
export async function readPageInParts<Answer>(
  request: ListPageRequest,
  read: (request: ListPageRequest, tries?: number) => Promise<Answer>,
): Promise<ListPageReadResult<Answer>> {
  try {
    return { answers: [{ request, answer: await read(request) }], poisonRows: [] };
  } catch (error) {
    const poison = toPoisonRowError(error);
    if (poison === null || request.per_page === 1) throw error;
    const readResult: ListPageReadResult<Answer> = { answers: [], poisonRows: [] };
    await readParts(request, read, readResult, poison);
    return readResult;
  }
}

async function readParts<Answer>(
  { page, per_page }: ListPageRequest,
  read: (request: ListPageRequest, tries?: number) => Promise<Answer>,
  readResult: ListPageReadResult<Answer>,
  cause: BillingError,
): Promise<void> {
  const parts = findSmallestFactor(per_page);
  for (let part = 1; part <= parts; part++) {
    const request = { page: (page - 1) * parts + part, per_page: per_page / parts };
    try {
      readResult.answers.push({ request, answer: await read(request, 2) });
    } catch (error) {
      const poison = toPoisonRowError(error);
      if (poison === null) throw error;
      if (request.per_page > 1) {
        await readParts(request, read, readResult, poison);
        continue;
      }
      readResult.poisonRows.push({ index: request.page - 1, error: poison });
      if (readResult.answers.length === 0 && readResult.poisonRows.length >= MAX_FAILED_ROWS) throw cause;
    }
  }
}

function findSmallestFactor(size: number): number {
  for (let factor = 2; factor * factor <= size; factor++) if (size % factor === 0) return factor;
  return size;
}
