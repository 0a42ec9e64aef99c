import { hash } from 'node:crypto';
import {
  type ClosedFigures,
  type ContractOutputs,
  createNonRetryableError,
  type Workpaper,
} from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import {
  findClosedFigures,
  getSignedOffFigures,
  type StoredClosedFigures,
} from '../store/periods/closed-figures.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { requirePeriod } from './period-detail.ts';

/** Content of closed figures, without the digest and the time of reopening. */
export type ClosedFiguresContent = Omit<ClosedFigures, 'sha256' | 'reopened_at'>;

/** Parses the content of closed figures. Throws `corrupt` if it is not valid JSON. */
export function parseClosedFiguresContent({
  content,
}: Pick<StoredClosedFigures, 'content'>): ClosedFiguresContent {
  // Closed figures from earlier versions have no lists.
  const { lists = [], ...rest } = parseOrThrowCorrupt<
    Partial<Pick<ClosedFiguresContent, 'lists'>> & Omit<ClosedFiguresContent, 'lists'>
  >(content ?? '', 'The closed figures of a period');
  return { lists, ...rest };
}

/** Returns the signed workpaper. Throws `corrupt` if it is not valid JSON. */
export const readSignedOffWorkpaper = (
  books: ReadableDb,
  { id }: Pick<StoredClosedFigures, 'id'>,
): Workpaper =>
  parseOrThrowCorrupt(getSignedOffFigures(books, id), 'The signed workpaper of a closed period');

function parseOrThrowCorrupt<Value>(text: string, noun: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw createNonRetryableError(
      'corrupt',
      `${noun} cannot be read. The data is damaged or was tampered with.`,
      'Restore an earlier backup of the books.',
    );
  }
}

/** Returns the closed figures of a period, by default their latest version. Throws `not_found`. */
export function readClosedFigures(
  books: ReadableDb,
  period: string,
  version: number | undefined,
): ClosedFigures {
  const closedFigures = requireClosedFigures(books, period, version);
  return {
    ...parseClosedFiguresContent(closedFigures),
    sha256: closedFigures.sha256 ?? '',
    reopened_at: formatTimestamp(closedFigures.reopened_at),
  };
}

/** Returns the figures of a period exactly as signed. Throws `not_found`. */
export function readSignedOffFigures(
  books: ReadableDb,
  period: string,
  version: number | undefined,
): ContractOutputs['periods']['signed'] {
  const closedFigures = requireClosedFigures(books, period, version);
  const json = getSignedOffFigures(books, closedFigures.id);
  return { version: closedFigures.version, sha256: hash('sha256', json, 'hex'), json };
}

function requireClosedFigures(
  books: ReadableDb,
  period: string,
  version: number | undefined,
): StoredClosedFigures {
  const closedFigures = findClosedFigures(books, requirePeriod(books, period).id, version);
  if (closedFigures !== null) return closedFigures;
  throw createNonRetryableError(
    'not_found',
    version === undefined
      ? `${period} was never closed.`
      : `${period} has no closed figures with version ${version}.`,
    'Its history shows when it was closed.',
  );
}
