import { hash } from 'node:crypto';
import { type ClosedFigures, contractError, type Outputs } from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { closedFiguresOf, type StoredClosedFigures, signedFigures } from '../store/periods/closed-figures.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { parseClosedFiguresContent } from './closed-figures-content.ts';
import { requirePeriod } from './period-detail.ts';

/** Returns the closed figures of a period, by default the latest version. Throws `not_found`. */
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
export function readSignedFigures(
  books: ReadableDb,
  period: string,
  version: number | undefined,
): Outputs['periods']['signed'] {
  const closedFigures = requireClosedFigures(books, period, version);
  const json = signedFigures(books, closedFigures.id);
  return { version: closedFigures.version, sha256: hash('sha256', json, 'hex'), json };
}

function requireClosedFigures(
  books: ReadableDb,
  period: string,
  version: number | undefined,
): StoredClosedFigures {
  const closedFigures = closedFiguresOf(books, requirePeriod(books, period).id, version);
  if (closedFigures === null) throw unknownClosedFiguresError(period, version);
  return closedFigures;
}

function unknownClosedFiguresError(period: string, version: number | undefined) {
  return contractError({
    code: 'not_found',
    message: version === undefined ? `${period} was never closed.` : `${period} has no seal ${version}.`,
    hint: 'See its history for when it was closed.',
    retryable: false,
  });
}
