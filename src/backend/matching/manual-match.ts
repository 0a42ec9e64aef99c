import { type ContractInputs, createNonRetryableError, type MatchGroup } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { type DecisionContext, runExclusively } from '../jobs/exclusive-change.ts';
import { assertMatchesNotLocked } from '../period-lock/period-lock.ts';
import { requireRecord } from '../shared/require-record.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addMatch,
  addMatchHistoryEntry,
  type ClaimableAmount,
  type ClaimedShare,
  findClaimableLine,
  findClaimablePayment,
  findMatch,
  listMatchItems,
  type NewMatchAdjustment,
} from '../store/matching/match-group.ts';
import { listMatchesById } from '../store/matching/match-list.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';
import {
  createMatchConflictError,
  isAmountUnmatched,
  recordMatchDecision,
  requireMatch,
  toMatchAuditDetail,
} from './match-decisions.ts';

const MAX_MEMBERS_RETURNED = 20;

/** Bank lines, payments and adjustments of a match that a person makes. */
export interface ManualMatch {
  lines: readonly { id: number; allocated_in_cents?: number | undefined }[];
  transactions: readonly { id: number; allocated_in_cents?: number | undefined }[];
  adjustments: readonly NewMatchAdjustment[];
}

/**
 * Creates a confirmed match from the chosen lines and payments. Throws `not_found`, and `conflict` if they do not add
 * up to zero or are already matched.
 */
export function createManualMatch(
  context: DecisionContext,
  { site, reason = null, ...content }: ManualMatch & { site: string; reason?: string | null | undefined },
): MatchGroup {
  return changeMatches(context, site, 'a manual match', (books) => [
    addConfirmedMatch(context, books, content, { rule: 'manual', reason }),
  ])[0]!;
}

/**
 * Undoes a match and creates its parts as new matches. Throws `conflict` if the match is not confirmed or a part is
 * invalid, and `period_locked` if the match belongs to a closed period.
 */
export function splitMatch(
  context: DecisionContext,
  { site, id, parts, reason }: { site: string; id: number; parts: readonly ManualMatch[]; reason: string },
): MatchGroup[] {
  return changeMatches(context, site, 'a manual match', (books) => {
    const group = requireMatch(books, id);
    if (group.status !== 'confirmed')
      throw createMatchConflictError(
        `Match ${id} is ${group.status}.`,
        'Only a confirmed match can be split.',
      );
    assertMatchesNotLocked(books, [id]);
    refuseRowsOfOtherMatches(books, id, parts);
    const at = context.now();
    const { user } = context;
    recordMatchDecision(books, group, 'undone', { at, by: user, reason });
    const detail = toMatchAuditDetail(books, group);
    addAuditEntry(books, { at, user, action: 'match.split', subject: String(id), reason, detail });
    return parts.map((part) => addConfirmedMatch(context, books, part, { rule: 'manual', reason }));
  });
}

/** Throws `conflict` if a part contains a line or payment that is not in the match. */
function refuseRowsOfOtherMatches(books: WritableDb, id: number, parts: readonly ManualMatch[]): void {
  const members = listMatchItems(books, id);
  const lines = new Set(members.map(({ line_id }) => line_id));
  const payments = new Set(members.map(({ transaction_id }) => transaction_id));
  const otherRow =
    parts.flatMap((part) => part.lines).find((line) => !lines.has(line.id)) ??
    parts.flatMap((part) => part.transactions).find((payment) => !payments.has(payment.id));
  if (otherRow === undefined) return;
  const hint = 'Split only its own items, and match the rest manually.';
  throw createMatchConflictError(`${otherRow.id} is not in match ${id}.`, hint);
}

/** Assigns the unmatched amount of each line or payment to a category. Throws `conflict` if one is fully matched. */
export function writeOffRows(
  context: DecisionContext,
  { site, lines = [], transactions = [], category, reason }: ContractInputs['match']['writeOff'],
): MatchGroup[] {
  if (lines.length + transactions.length === 0) {
    const message = 'No line or payment was selected to write off.';
    throw createNonRetryableError('validation', message, 'Choose lines or payments.');
  }
  return changeMatches(context, site, 'a write-off', (books) => {
    const writeOff = (rows: Pick<ManualMatch, 'lines' | 'transactions'>, amount_in_cents: number) => {
      const content = { ...rows, adjustments: [{ category, amount_in_cents, reason }] };
      return addConfirmedMatch(context, books, content, { rule: 'write-off', reason });
    };
    return [
      ...[...new Set(lines)].map((id) =>
        writeOff({ lines: [{ id }], transactions: [] }, unmatchedAmount(requireLine(books, id))),
      ),
      ...[...new Set(transactions)].map((id) =>
        writeOff({ lines: [], transactions: [{ id }] }, 0 - unmatchedAmount(requirePayment(books, id))),
      ),
    ];
  });
}

/** Runs a change in one transaction and returns the matches that it created. */
function changeMatches(
  context: DecisionContext,
  site: string,
  activity: string,
  change: (books: WritableDb) => number[],
): MatchGroup[] {
  const { books } = context.stores.open(site);
  const ids = runExclusively(context, site, activity, () => runInTransaction(books, () => change(books)));
  context.changes.emit(site, 'match', 'bank', 'audit');
  return listMatchesById(books, ids, MAX_MEMBERS_RETURNED);
}

const unmatchedAmount = ({ amount_in_cents, claimed_in_cents }: ClaimableAmount) =>
  amount_in_cents - claimed_in_cents;

/** Validates and adds a confirmed match. Database triggers repeat the validation. */
function addConfirmedMatch(
  { user, now }: DecisionContext,
  books: WritableDb,
  { lines: lineRefs, transactions: paymentRefs, adjustments }: ManualMatch,
  { rule, reason }: { rule: 'manual' | 'write-off'; reason: string | null },
): number {
  const lines = lineRefs.map((each) => toMatchMember('Line', each, requireLine(books, each.id)));
  const payments = paymentRefs.map((each) => toMatchMember('Payment', each, requirePayment(books, each.id)));
  const { currency } = requireDistinctMembers(lines, payments);
  refuseDifference(currency, sumOf(lines), sumOf(payments), adjustments);
  const at = now();
  const days = (lines.length > 0 ? lines : payments).map(({ dated_on }) => dated_on).toSorted();
  const id = addMatch(books, {
    status: 'confirmed',
    rule,
    rule_version: 1,
    score: 100,
    currency,
    dated_on: days[0]!,
    lines,
    payments,
    adjustments,
    alternatives: 0,
    reasons: [],
    key: null,
    user_rule: null,
    payout_id: null,
    reverses: null,
    run_id: null,
    at,
    by: user,
    reason,
  });
  addMatchHistoryEntry(books, id, { at, user, action: 'made', text: reason });
  const detail = toMatchAuditDetail(books, findMatch(books, id)!);
  const action = rule === 'manual' ? 'match.make' : 'match.write-off';
  addAuditEntry(books, { at, user, action, subject: String(id), reason, detail });
  return id;
}

/**
 * Validates the members of a match and returns the first. Throws unless there is a member, all are distinct, and all
 * have the same currency.
 */
function requireDistinctMembers(
  lines: readonly MatchMember[],
  payments: readonly MatchMember[],
): MatchMember {
  const all = [...lines, ...payments];
  const [first] = all;
  if (first === undefined || new Set(all.map(({ label }) => label)).size < all.length) {
    throw createNonRetryableError(
      'validation',
      first === undefined ? 'Nothing was selected.' : 'A line or payment was selected twice.',
      'Select each line and payment once.',
    );
  }
  const other = all.find(({ currency }) => currency !== first.currency);
  if (other === undefined) return first;
  throw createMatchConflictError(
    `${first.label} is in ${first.currency}, ${other.label.toLowerCase()} in ${other.currency}.`,
    'A match has one currency. Assign each item to a category, with the exchange rate in the reason.',
  );
}

/** Throws `conflict` unless lines, payments and adjustments, all in cents, add up to zero. */
function refuseDifference(
  currency: string,
  lines: number,
  payments: number,
  adjustments: readonly NewMatchAdjustment[],
): void {
  const adjusted = adjustments.reduce((total, each) => total + each.amount_in_cents, 0);
  const difference = lines - payments - adjusted;
  if (difference === 0) return;
  throw createMatchConflictError(
    `The lines total ${formatMoney(lines)} ${currency} and the payments ${formatMoney(payments)}. The difference is ${formatMoney(difference)}.`,
    'Select other items, allocate less, or assign the difference to a category.',
  );
}

const sumOf = (shares: readonly ClaimedShare[]): number =>
  shares.reduce((total, each) => total + each.allocated_in_cents, 0);

interface MatchMember extends ClaimedShare {
  /** Label for messages, for example `Line 12`. */
  label: string;
  currency: string;
  dated_on: string;
}

/** Returns a line or payment as a member of a match, with the given amount or its entire unmatched amount. */
function toMatchMember(
  noun: 'Line' | 'Payment',
  { id, allocated_in_cents }: { id: number; allocated_in_cents?: number | undefined },
  amounts: ClaimableAmount,
): MatchMember {
  const { currency, dated_on } = amounts;
  const label = `${noun} ${id}`;
  const amount = allocated_in_cents ?? unmatchedAmount(amounts);
  if (!isAmountUnmatched(amounts, amount)) {
    if (unmatchedAmount(amounts) === 0)
      throw createMatchConflictError(
        `${label} (${dated_on}, ${formatMoney(amounts.amount_in_cents)} ${currency}) is already matched completely.`,
        'Choose other items, or undo its match first.',
      );
    const unmatched = `${formatMoney(unmatchedAmount(amounts))} ${currency}`;
    throw createMatchConflictError(
      `${label} has only ${unmatched} unmatched, so ${formatMoney(amount)} cannot be allocated.`,
      'Undo the match that uses the rest, or allocate less.',
    );
  }
  return { id, allocated_in_cents: amount, label, currency, dated_on };
}

const requireLine = (books: WritableDb, id: number): ClaimableAmount =>
  requireRecord(findClaimableLine(books, id), `line ${id}`, 'See the list of lines.');

const requirePayment = (books: WritableDb, id: number): ClaimableAmount =>
  requireRecord(findClaimablePayment(books, id), `payment ${id}`, 'See the list of payments.');
