import { BillingError, isServiceUnreachable } from '../../../billing/index.ts';

/** Number and size of a requested page. */
export interface PageRequest {
  page: number;
  per_page: number;
}

/** Rows of a page, read in one or several requests. */
export interface PageParts<Answer> {
  answers: { request: PageRequest; answer: Answer }[];
  /** Rows for which the service fails even when requested alone, with their zero-based index in the list. */
  poisonRows: { index: number; error: BillingError }[];
}

/** Returns the error if only the requested rows cause it, so that other rows may be readable. Returns null if not. */
export function toPoisonError(error: unknown): BillingError | null {
  if (!(error instanceof BillingError)) return null;
  if (error.code === 'timeout' || error.code === 'network') return isServiceUnreachable(error) ? null : error;
  return error.code === 'service' && error.detail['reason'] !== 'redirect' ? error : null;
}

/** Returns the error for a service that repeatedly returns a different page from the one requested. */
export function repeatedPageError(listName: string): BillingError {
  return new BillingError(
    'service',
    `The service keeps returning the same page of ${listName} instead of the next one.`,
    {
      hint: 'Stored data is kept. Try again later.',
      retryable: true,
    },
  );
}

/** Number of single rows that may fail before any is read. Then the service is at fault. Chosen by judgment. */
const MAX_FAILED_ROWS = 4;

/**
 * Reads a page. If the service fails on it, reads it in halves (or thirds, depending on its size), down to single rows:
 * page k of size n equals pages f(k-1)+1 to fk of size n / f. Throws if the rows are not the cause or if no row can be
 * read.
 */
export async function readPageInParts<Answer>(
  ask: PageRequest,
  read: (ask: PageRequest, tries?: number) => Promise<Answer>,
): Promise<PageParts<Answer>> {
  try {
    return { answers: [{ request: ask, answer: await read(ask) }], poisonRows: [] };
  } catch (error) {
    const poison = toPoisonError(error);
    if (poison === null || ask.per_page === 1) throw error;
    const pieces: PageParts<Answer> = { answers: [], poisonRows: [] };
    await readParts(ask, read, pieces, poison);
    return pieces;
  }
}

async function readParts<Answer>(
  { page, per_page }: PageRequest,
  read: (ask: PageRequest, tries?: number) => Promise<Answer>,
  pieces: PageParts<Answer>,
  cause: BillingError,
): Promise<void> {
  const parts = findSmallestFactor(per_page);
  for (let part = 1; part <= parts; part++) {
    const ask = { page: (page - 1) * parts + part, per_page: per_page / parts };
    try {
      pieces.answers.push({ request: ask, answer: await read(ask, 2) });
    } catch (error) {
      const poison = toPoisonError(error);
      if (poison === null) throw error;
      if (ask.per_page > 1) {
        await readParts(ask, read, pieces, poison);
        continue;
      }
      pieces.poisonRows.push({ index: ask.page - 1, error: poison });
      if (pieces.answers.length === 0 && pieces.poisonRows.length >= MAX_FAILED_ROWS) throw cause;
    }
  }
}

function findSmallestFactor(size: number): number {
  for (let factor = 2; factor * factor <= size; factor++) if (size % factor === 0) return factor;
  return size;
}
