import type { DecisionPart, LineIdentity, PackDecision } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { lineOf } from '../store/evidence-pack/pack-places.ts';

/** A decision of a pack compared with the books. */
export interface ComparedDecision extends PackDecision {
  readonly part: DecisionPart;
  /** Restores the decision in the open transaction. Null if it is not missing. */
  readonly apply: ((by: RestoreContext) => void) | null;
}

/** Who restores, when (UTC milliseconds), and why. */
export interface RestoreContext {
  readonly at: number;
  readonly user: string;
  readonly reason: string;
}

/** What decisions are compared with. */
export interface PackComparison {
  readonly open: OpenSite;
  readonly period: string;
  /** Lines that the missing files will add, by identity, and payments that will be added to the books. */
  readonly coming: { readonly lines: ReadonlySet<string>; readonly payments: ReadonlySet<number> };
}

/** Marks a record that is not in the books yet but will be after the pack's files are imported. */
export const ADDED_BY_IMPORT = 0;

/** Returns a line's identity as text. */
export const lineIdentityText = (line: LineIdentity): string =>
  [
    ...[line.account.toLowerCase(), line.booked_on, line.amount_in_cents, line.currency],
    ...[line.words, line.occurrence, line.bank_id],
  ].join('\n');

/**
 * Returns the line's id in these books, including removed lines that come back; `COMING`, or null if it is not stored.
 */
export function findLineId({ open, coming }: PackComparison, line: LineIdentity): number | null {
  const stored = lineOf(open.books, line);
  if (stored?.gone === 0) return stored.id;
  return coming.lines.has(lineIdentityText(line)) ? (stored?.id ?? ADDED_BY_IMPORT) : null;
}

export const lineText = ({ booked_on, amount_in_cents, currency, account }: LineIdentity): string =>
  `the line of ${booked_on} in “${account}”, ${formatMoney(amount_in_cents)} ${currency}`;

const nothing = { reason: null, amount_in_cents: null, currency: null, at: null, user: null, apply: null };

/** Creates a finding. A missing decision has what restores it, or the reason why it is not restored. */
export const comparedDecision = (
  part: DecisionPart,
  known: Pick<ComparedDecision, 'text'> &
    Partial<Pick<ComparedDecision, 'amount_in_cents' | 'currency' | 'at' | 'user'>>,
) => ({
  same: (): ComparedDecision => ({ ...nothing, ...known, part, state: 'same' }),
  missing: (apply: (by: RestoreContext) => void): ComparedDecision => ({
    ...nothing,
    ...known,
    part,
    state: 'missing',
    apply,
  }),
  different: (reason: string): ComparedDecision => ({
    ...nothing,
    ...known,
    part,
    state: 'different',
    reason,
  }),
  notStored: (reason: string): ComparedDecision => ({
    ...nothing,
    ...known,
    part,
    state: 'not_stored',
    reason,
  }),
});

/** Returns who decided first and when, for the audit log. */
export const originalDecision = (period: string, at: number | null, by: string | null) => ({
  pack: period,
  decided_at: formatTimestamp(at),
  decided_by: by,
});
