import { hash } from 'node:crypto';
import { contractError, type Outputs, type PeriodSeal } from '../../contract/index.ts';
import type { ReadableDb } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import { type StoredSeal, sealOf, signedFigures } from '../store/periods/period-seal.ts';
import { sealedContent } from './sealed-content.ts';
import { wantedPeriod } from './show.ts';

/** What was sealed when a period was closed; without `version` the newest. Throws `not_found`. */
export function sealShown(books: ReadableDb, period: string, version: number | undefined): PeriodSeal {
  const seal = wanted(books, period, version);
  return {
    ...sealedContent(seal),
    sha256: seal.sha256 ?? '',
    reopened_at: isoMoment(seal.reopened_at),
  };
}

/** The figures as they were signed, word for word. Throws `not_found`. */
export function signedShown(
  books: ReadableDb,
  period: string,
  version: number | undefined,
): Outputs['periods']['signed'] {
  const seal = wanted(books, period, version);
  const json = signedFigures(books, seal.id);
  return { version: seal.version, sha256: hash('sha256', json, 'hex'), json };
}

function wanted(books: ReadableDb, period: string, version: number | undefined): StoredSeal {
  const seal = sealOf(books, wantedPeriod(books, period).id, version);
  if (seal === null) throw noSuchSeal(period, version);
  return seal;
}

function noSuchSeal(period: string, version: number | undefined) {
  return contractError({
    code: 'not_found',
    message: version === undefined ? `${period} was never closed.` : `${period} has no seal ${version}.`,
    hint: 'See its history for when it was closed.',
    retryable: false,
  });
}
