import { BillingError, isServiceUnreachable } from '../../../billing/index.ts';

/** Number and size of a requested page. */
export interface PageAsk {
  page: number;
  per_page: number;
}

/** The rows obtained for a page. */
export interface Pieces<Answer> {
  answers: { ask: PageAsk; answer: Answer }[];
  /** Single rows that the service fails to return, by their index in the list, from 0. */
  lost: { index: number; error: BillingError }[];
}

/**
 * Returns the error if the service fails on this particular content, so that other content may succeed. Returns null
 * otherwise.
 */
export function poisonOf(error: unknown): BillingError | null {
  if (!(error instanceof BillingError)) return null;
  if (error.code === 'timeout' || error.code === 'network') return isServiceUnreachable(error) ? null : error;
  return error.code === 'service' && error.detail['reason'] !== 'redirect' ? error : null;
}

/** Returns the error for a service that repeatedly answers with another page than requested. */
export function samePage(of: string): BillingError {
  return new BillingError('service', `The service keeps giving the same page of ${of} for another.`, {
    hint: 'What is held stays; try again later.',
    retryable: true,
  });
}

/** Number of consecutive failed rows after which the service, not a row, is considered at fault. Chosen by judgment. */
const HOPELESS = 4;

/**
 * Reads a page. If the service fails on it, reads its halves (or thirds, depending on its size) down to the single row:
 * page k of size n equals pages f(k-1)+1 to fk of size n / f. Throws errors that do not depend on the content, and fails
 * if no row can be read.
 */
export async function readPage<Answer>(
  ask: PageAsk,
  read: (ask: PageAsk, tries?: number) => Promise<Answer>,
): Promise<Pieces<Answer>> {
  try {
    return { answers: [{ ask, answer: await read(ask) }], lost: [] };
  } catch (error) {
    const poison = poisonOf(error);
    if (poison === null || ask.per_page === 1) throw error;
    const pieces: Pieces<Answer> = { answers: [], lost: [] };
    await readParts(ask, read, pieces, poison);
    return pieces;
  }
}

async function readParts<Answer>(
  { page, per_page }: PageAsk,
  read: (ask: PageAsk, tries?: number) => Promise<Answer>,
  pieces: Pieces<Answer>,
  cause: BillingError,
): Promise<void> {
  const parts = smallestFactor(per_page);
  for (let part = 1; part <= parts; part++) {
    const ask = { page: (page - 1) * parts + part, per_page: per_page / parts };
    try {
      pieces.answers.push({ ask, answer: await read(ask, 2) });
    } catch (error) {
      const poison = poisonOf(error);
      if (poison === null) throw error;
      if (ask.per_page > 1) {
        await readParts(ask, read, pieces, poison);
        continue;
      }
      pieces.lost.push({ index: ask.page - 1, error: poison });
      if (pieces.answers.length === 0 && pieces.lost.length >= HOPELESS) throw cause;
    }
  }
}

function smallestFactor(size: number): number {
  for (let factor = 2; factor * factor <= size; factor++) if (size % factor === 0) return factor;
  return size;
}
