import type { BankLineIdentity, PackDecision, RestorableDecisionPart } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { findBankLineByIdentity } from '../store/evidence-pack/find-pack-rows.ts';

export interface ComparedDecision extends PackDecision {
  readonly part: RestorableDecisionPart;
  /** Restores a missing decision in the current transaction. Null if the decision is not missing. */
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
  /** Identities of lines and ids of payments that importing the pack's missing files will add. */
  readonly coming: { readonly lines: ReadonlySet<string>; readonly payments: ReadonlySet<number> };
}

/** Id of a record that is not in the books yet but will be added when the pack's files are imported. */
export const ADDED_BY_PACK_IMPORT = 0;

export const formatBankLineIdentity = (line: BankLineIdentity): string =>
  [
    ...[line.account.toLowerCase(), line.booked_on, line.amount_in_cents, line.currency],
    ...[line.text_hash, line.occurrence, line.bank_id],
  ].join('\n');

/** Returns a line's id, or `ADDED_BY_PACK_IMPORT` for a line that an import adds. Returns null if neither applies. */
export function findBankLineId({ open, coming }: PackComparison, line: BankLineIdentity): number | null {
  const stored = findBankLineByIdentity(open.books, line);
  if (stored?.removed === 0) return stored.id;
  return coming.lines.has(formatBankLineIdentity(line)) ? (stored?.id ?? ADDED_BY_PACK_IMPORT) : null;
}

export const describeBankLine = ({
  booked_on,
  amount_in_cents,
  currency,
  account,
}: BankLineIdentity): string =>
  `the line booked on ${booked_on} in “${account}”, ${formatMoney(amount_in_cents)} ${currency}`;

const EMPTY_DECISION = {
  reason: null,
  amount_in_cents: null,
  currency: null,
  at: null,
  user: null,
  apply: null,
};

/** Creates the functions that build the result of comparing one decision, one function per state. */
export function createDecisionComparisonFactory(
  part: RestorableDecisionPart,
  decision: Pick<ComparedDecision, 'text'> &
    Partial<Pick<ComparedDecision, 'amount_in_cents' | 'currency' | 'at' | 'user'>>,
) {
  const createResult = (
    state: ComparedDecision['state'],
    result: Partial<Pick<ComparedDecision, 'reason' | 'apply'>> = {},
  ): ComparedDecision => ({ ...EMPTY_DECISION, ...decision, part, state, ...result });
  return {
    same: () => createResult('same'),
    missing: (apply: (by: RestoreContext) => void) => createResult('missing', { apply }),
    different: (reason: string) => createResult('different', { reason }),
    notStored: (reason: string) => createResult('not_stored', { reason }),
  };
}

/** Returns a phrase that says who made the original decision and when, for the audit log. */
export const describeOriginalDecision = (period: string, at: number | null, by: string | null) => ({
  pack: period,
  decided_at: formatTimestamp(at),
  decided_by: by,
});
