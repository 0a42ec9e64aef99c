import { contractError, type PeriodSeal, type Workpaper } from '../../contract/index.ts';
import type { ReadableDb } from '../store/database.ts';
import { type StoredSeal, signedFigures } from '../store/periods/period-seal.ts';

export type SealContent = Omit<PeriodSeal, 'sha256' | 'reopened_at'>;

/** What a seal lists. Throws `corrupt` where it cannot be read. */
export function sealedContent({ content }: Pick<StoredSeal, 'content'>): SealContent {
  // One that was made before lists were kept has none.
  const { lists = [], ...rest } = parsed<Partial<Pick<SealContent, 'lists'>> & Omit<SealContent, 'lists'>>(
    content ?? '',
    'The seal of a closed period',
  );
  return { lists, ...rest };
}

/** The workpaper as it was signed. Throws `corrupt` where it cannot be read. */
export function signedWorkpaper(books: ReadableDb, seal: Pick<StoredSeal, 'id'>): Workpaper {
  return parsed<Workpaper>(
    signedFigures(books, seal.id),
    'The workpaper of a closed period, as it was signed,',
  );
}

function parsed<Value>(text: string, what: string): Value {
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
