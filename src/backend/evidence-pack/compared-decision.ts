import type { DecisionPart, LineIdentity, PackDecision } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { lineOf } from '../store/evidence-pack/pack-places.ts';

/** Decision of an evidence pack, compared with the books. */
export interface ComparedDecision extends PackDecision {
  readonly part: DecisionPart;
  /** Restores a missing decision within the current transaction. Null if the decision is not missing. */
  readonly apply: ((by: RestoreContext) => void) | null;
}

/** User, time (UTC milliseconds) and reason of a restore. */
export interface RestoreContext {
  readonly at: number;
  readonly user: string;
  readonly reason: string;
}

/** Site and period with which a pack's decisions are compared. */
export interface PackComparison {
  readonly open: OpenSite;
  readonly period: string;
  /**
   * Identities of the lines that importing the pack's missing files will add, and ids of the payments that will be added
   * to the books.
   */
  readonly coming: { readonly lines: ReadonlySet<string>; readonly payments: ReadonlySet<number> };
}

/** Id of a record that is not in the books yet but will be added when the pack's files are imported. */
export const ADDED_BY_IMPORT = 0;

/** Formats a line's identity as text. */
export const formatLineIdentity = (line: LineIdentity): string =>
  [
    ...[line.account.toLowerCase(), line.booked_on, line.amount_in_cents, line.currency],
    ...[line.words, line.occurrence, line.bank_id],
  ].join('\n');

/**
 * Returns the id of a line in these books, also for a removed line that importing the pack's files restores. Returns
 * `ADDED_BY_IMPORT` for a new line, and null if the line is not stored.
 */
export function findLineId({ open, coming }: PackComparison, line: LineIdentity): number | null {
  const stored = lineOf(open.books, line);
  if (stored?.gone === 0) return stored.id;
  return coming.lines.has(formatLineIdentity(line)) ? (stored?.id ?? ADDED_BY_IMPORT) : null;
}

export const describeLine = ({ booked_on, amount_in_cents, currency, account }: LineIdentity): string =>
  `the line of ${booked_on} in “${account}”, ${formatMoney(amount_in_cents)} ${currency}`;

const EMPTY_DECISION = {
  reason: null,
  amount_in_cents: null,
  currency: null,
  at: null,
  user: null,
  apply: null,
};

/**
 * Creates the results of a comparison. A missing decision has a function that restores it; other decisions may have a
 * reason why they are not restored.
 */
export const createComparison = (
  part: DecisionPart,
  known: Pick<ComparedDecision, 'text'> &
    Partial<Pick<ComparedDecision, 'amount_in_cents' | 'currency' | 'at' | 'user'>>,
) => ({
  same: (): ComparedDecision => ({ ...EMPTY_DECISION, ...known, part, state: 'same' }),
  missing: (apply: (by: RestoreContext) => void): ComparedDecision => ({
    ...EMPTY_DECISION,
    ...known,
    part,
    state: 'missing',
    apply,
  }),
  different: (reason: string): ComparedDecision => ({
    ...EMPTY_DECISION,
    ...known,
    part,
    state: 'different',
    reason,
  }),
  notStored: (reason: string): ComparedDecision => ({
    ...EMPTY_DECISION,
    ...known,
    part,
    state: 'not_stored',
    reason,
  }),
});

/** Returns who made the original decision and when, for the audit log. */
export const describeOriginalDecision = (period: string, at: number | null, by: string | null) => ({
  pack: period,
  decided_at: formatTimestamp(at),
  decided_by: by,
});
