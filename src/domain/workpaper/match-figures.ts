import type { Contribution } from './contribution.ts';

/** Figures of S2 and S3 that are computed from matches or are outgoing money. The others are computed from tables. */
const matchFigures = [
  'S2.direct',
  'S2.later',
  'S2.earlier',
  'S2.ledger',
  'S2.categorized',
  'S2.out-of-scope',
  'S2.timing',
  'S2.report-later',
  'S2.report-categorized',
  'S2.report-out-of-scope',
  'S2.report-deleted',
  'S2.adjustments',
  'S3.direct',
  'S3.transit',
  'S3.before',
  'S3.arrived',
  'S3.timing',
  'S3.differs',
  'S3.adjustments',
  'S3.categorized',
  'S3.out-of-scope',
  'S3.later',
  'S3.written-off',
  'S3.returned',
  'S3.other-out',
] as const;
export type MatchFigure = (typeof matchFigures)[number];

/**
 * Contribution of a match to a figure. The type limits the figures to listed ones, so that each can be opened to its
 * rows.
 */
export interface MatchContribution extends Contribution {
  readonly figure: MatchFigure;
}

const listed: ReadonlySet<string> = new Set(matchFigures);

/** Returns true if a figure, for example `S2.direct`, is computed from matches. */
export const isMatchFigure = (figure: string): boolean => listed.has(figure);
