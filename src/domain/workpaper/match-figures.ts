import type { Contribution } from './contribution.ts';

/** Figures that matches make, and the money that went out; the others of S2 and S3 are read from their tables. */
const matchFigures = [
  'S2.direct',
  'S2.later',
  'S2.earlier',
  'S2.ledger',
  'S2.put-down',
  'S2.ignored',
  'S2.timing',
  'S2.report-later',
  'S2.report-put-down',
  'S2.report-ignored',
  'S2.gone',
  'S2.adjustments',
  'S3.direct',
  'S3.transit',
  'S3.before',
  'S3.arrived',
  'S3.timing',
  'S3.differs',
  'S3.adjustments',
  'S3.put-down',
  'S3.ignored',
  'S3.later',
  'S3.written-off',
  'S3.returned',
  'S3.other-out',
] as const;
export type MatchFigure = (typeof matchFigures)[number];

/** What a match adds to a figure. A figure that is not listed cannot be named, so that each opens to its rows. */
export interface MatchContribution extends Contribution {
  readonly figure: MatchFigure;
}

const listed: ReadonlySet<string> = new Set(matchFigures);

/** Whether a figure, as `S2.direct`, is made of what matches claim. */
export const isOfMatches = (figure: string): boolean => listed.has(figure);
