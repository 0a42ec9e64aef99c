import { BillingError, isUnreachable } from '../../billing/index.ts';

/** One page of a list, of a size and number. */
export interface PageAsk {
  page: number;
  per_page: number;
}

/** What was got of the rows of a page. */
export interface Pieces<Answer> {
  answers: { ask: PageAsk; answer: Answer }[];
  /** Single rows that the service does not give, by their place in the list, from 0. */
  lost: { index: number; error: BillingError }[];
}

/** The error where the service fails on this very thing, so that others may be had all the same; null where it is not so. */
export function poisonOf(error: unknown): BillingError | null {
  if (!(error instanceof BillingError)) return null;
  if (error.code === 'timeout' || error.code === 'network') return isUnreachable(error) ? null : error;
  return error.code === 'service' && error.detail['reason'] !== 'redirect' ? error : null;
}

/** The failure of a service that gives one page for another, however often it is asked. */
export function samePage(of: string): BillingError {
  return new BillingError('service', `The service keeps giving the same page of ${of} for another.`, {
    hint: 'What is held stays; try again later.',
    retryable: true,
  });
}

/** Rows one after the other that are given up before it is the service, not a row, that is at fault. */
const HOPELESS = 4;

/**
 * Reads a page; where the service fails on it, its halves (or thirds, by its size), down to the single row: page k of size
 * n is pages f(k-1)+1 … fk of size n / f. Throws what is no poison, and where nothing of the page can be read at all.
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
