import { type ClosedFigures, contractError, type Workpaper } from '../../contract/index.ts';
import { type StoredClosedFigures, signedFigures } from '../store/periods/closed-figures.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

export type ClosedFiguresContent = Omit<ClosedFigures, 'sha256' | 'reopened_at'>;

/** Parses the content of closed figures. Throws `corrupt` if it is not valid JSON. */
export function parseClosedFiguresContent({
  content,
}: Pick<StoredClosedFigures, 'content'>): ClosedFiguresContent {
  // Older closed figures have no lists.
  const { lists = [], ...rest } = parseOrThrowCorrupt<
    Partial<Pick<ClosedFiguresContent, 'lists'>> & Omit<ClosedFiguresContent, 'lists'>
  >(content ?? '', 'The seal of a closed period');
  return { lists, ...rest };
}

/** Returns the signed workpaper. Throws `corrupt` if it is not valid JSON. */
export function readSignedWorkpaper(
  books: ReadableDb,
  closedFigures: Pick<StoredClosedFigures, 'id'>,
): Workpaper {
  return parseOrThrowCorrupt<Workpaper>(
    signedFigures(books, closedFigures.id),
    'The workpaper of a closed period, as it was signed,',
  );
}

function parseOrThrowCorrupt<Value>(text: string, what: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw contractError({
      code: 'corrupt',
      message: `${what} cannot be read: it is damaged, or was tampered with.`,
      hint: 'Restore a copy of the books that was made before.',
      retryable: false,
    });
  }
}
