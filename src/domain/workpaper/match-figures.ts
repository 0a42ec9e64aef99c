import type { CalendarDate, Cents } from '../ledger/index.ts';

/** Kinds of rows that contribute to figures, sorted alphabetically. */
export const figureRowKinds = [
  ...(['balance', 'bank_statement', 'entry', 'ledger', 'line'] as const),
  ...(['match', 'payment', 'payout', 'statement', 'transaction'] as const),
] as const;
type FigureRowKind = (typeof figureRowKinds)[number];

/** The share of one row in a figure. A figure is the sum of its contributions. */
export interface RowContribution {
  /** Id of the figure, for example `S2.direct`. */
  readonly figure: string;
  /** Account, kind or category by which the figure is split. Empty if it is not split. */
  readonly part: string;
  readonly currency: string;
  readonly kind: FigureRowKind;
  readonly id: number;
  /** Id of the match that causes the contribution. Several matches may each claim a part of one row. */
  readonly match?: number;
  /** For a transaction: id of the statement that lists it, because two statements may list the same transaction. */
  readonly statement?: number;
  readonly day: CalendarDate | null;
  readonly cents: Cents;
}

/** Figures of S2 and S3 that are computed from matches or outgoing money. Other figures are computed from tables. */
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

/** Contribution of a match to a figure, stored so that the figure can be opened to its rows. */
export interface MatchContribution extends RowContribution {
  readonly figure: MatchFigure;
}

const listed: ReadonlySet<string> = new Set(matchFigures);

/** Returns true if a figure, for example `S2.direct`, is computed from matches. */
export const isMatchFigure = (figure: string): boolean => listed.has(figure);
