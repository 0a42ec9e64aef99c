import { type ContractInputs, createNonRetryableError, type MatchGroup } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { namesPayment } from '../../domain/matching/model/names-payment.ts';
import { type DecisionContext, runExclusively } from '../jobs/exclusive-change.ts';
import { assertMatchesNotLocked } from '../period-lock/period-lock.ts';
import { formatNumberRanges } from '../shared/number-ranges.ts';
import { requireRecord } from '../shared/require-record.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { readListPage, toRowIds } from '../store/lists/keyset-pagination.ts';
import {
  addMatchHistoryEntry,
  type ClaimableAmount,
  findClaimableLine,
  findClaimablePayment,
  findMatch,
  listMatchItems,
  type StoredMatchGroup,
  setMatchStatus,
} from '../store/matching/match-group.ts';
import { listMatchesById } from '../store/matching/match-list.ts';
import { planMatchList } from '../store/matching/match-list-plan.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';

/** Maximum number of lines and payments returned per match after a decision. Chosen by judgment. */
const MAX_MEMBERS_RETURNED = 20;

interface MatchDecisionInput {
  site: string;
  ids: readonly number[];
  reason?: string | undefined;
}

/**
 * Confirms suggested or ambiguous matches. Throws `conflict` if a match has another status, names no payment, does not add
 * up to zero, or contains a line or payment that another match uses.
 */
export function confirmMatches(context: DecisionContext, input: MatchDecisionInput): MatchGroup[] {
  return applyDecision(context, input, 'confirm', (books, group, at) => {
    const blocker = findConfirmationBlocker(books, group);
    if (blocker !== null) throw createMatchConflictError(blocker.message, blocker.hint);
    recordMatchDecision(books, group, 'confirmed', { at, by: context.user, reason: input.reason ?? null });
  });
}

/** Declines suggested or ambiguous matches. Throws `conflict` if a match has another status. */
export function declineMatches(context: DecisionContext, input: MatchDecisionInput): MatchGroup[] {
  return applyDecision(context, input, 'decline', (books, group, at) => {
    if (!isProposal(group)) {
      const hint = 'Only a suggestion can be declined. Undo the match instead.';
      throw createMatchConflictError(`Match ${group.id} is ${group.status}.`, hint);
    }
    recordMatchDecision(books, group, 'declined', { at, by: context.user, reason: input.reason ?? null });
  });
}

/**
 * Undoes confirmed or declined matches. Throws `conflict` if a match has another status, and `period_locked` if it
 * belongs to a closed period.
 */
export function undoMatches(
  context: DecisionContext,
  input: MatchDecisionInput & { reason: string },
): MatchGroup[] {
  return applyDecision(context, input, 'undo', (books, group, at) => {
    if (group.status !== 'confirmed' && group.status !== 'declined') {
      const hint = isProposal(group) ? 'Decline it if it is wrong.' : 'No action is needed.';
      throw createMatchConflictError(`Match ${group.id} is ${group.status}.`, hint);
    }
    assertMatchesNotLocked(books, [group.id]);
    recordMatchDecision(books, group, 'undone', { at, by: context.user, reason: input.reason });
  });
}

/**
 * Sets a match's status by a person's decision and records the decision in the match's history. Later runs do not
 * confirm a match that a person has undone.
 */
export function recordMatchDecision(
  books: WritableDb,
  group: StoredMatchGroup,
  status: 'confirmed' | 'declined' | 'undone',
  change: { at: number; by: string; reason: string | null },
): void {
  const isBlocked = status === 'undone' && group.status === 'confirmed';
  setMatchStatus(books, group.id, status, { ...change, isBlocked });
  addMatchHistoryEntry(books, group.id, {
    at: change.at,
    user: change.by,
    action: status,
    text: change.reason,
  });
}

const isProposal = ({ status }: StoredMatchGroup): boolean =>
  status === 'suggested' || status === 'ambiguous';

/** Applies a decision to all of the matches or to none. Adds an audit entry for each match. */
function applyDecision(
  context: DecisionContext,
  { site, ids, reason }: MatchDecisionInput,
  verb: 'confirm' | 'decline' | 'undo',
  apply: (books: WritableDb, group: StoredMatchGroup, at: number) => void,
): MatchGroup[] {
  const { stores, now, user, changes } = context;
  const { books } = stores.open(site);
  const at = now();
  const distinctIds = [...new Set(ids)];
  runExclusively(context, site, 'a decision about matches', () =>
    runInTransaction(books, () => {
      for (const id of distinctIds) {
        const group = requireMatch(books, id);
        apply(books, group, at);
        const entry = { at, user, action: `match.${verb}`, subject: String(id), reason: reason ?? null };
        addAuditEntry(books, { ...entry, detail: toMatchAuditDetail(books, group) });
      }
    }),
  );
  changes.emit(site, 'match', 'bank', 'audit');
  return listMatchesById(books, distinctIds, MAX_MEMBERS_RETURNED);
}

export function requireMatch(books: WritableDb, id: number): StoredMatchGroup {
  const hint = 'A matching run may have replaced the suggestions. See the list of matches.';
  return requireRecord(findMatch(books, id), `match ${id}`, hint);
}

/** Returns a match's content for the audit log. */
export function toMatchAuditDetail(books: WritableDb, group: StoredMatchGroup): Record<string, unknown> {
  const items = listMatchItems(books, group.id);
  const { rule, status, currency, lines_in_cents, transactions_in_cents } = group;
  return {
    ...{ rule, status, currency },
    lines: formatNumberRanges(items.flatMap(({ line_id }) => line_id ?? [])),
    transactions: formatNumberRanges(items.flatMap(({ transaction_id }) => transaction_id ?? [])),
    ...{ lines_in_cents, transactions_in_cents },
    adjustments: items.flatMap(({ category, allocated_in_cents }) =>
      category === null ? [] : [{ category, amount_in_cents: allocated_in_cents }],
    ),
  };
}

/** Returns the reason why a match cannot be confirmed, or null if it can be. */
function findConfirmationBlocker(
  books: WritableDb,
  group: StoredMatchGroup,
): { message: string; hint: string } | null {
  if (!isProposal(group)) {
    return { message: `Match ${group.id} is ${group.status}.`, hint: 'Only a suggestion can be confirmed.' };
  }
  const { reverses, payout_id: payout } = group;
  const reversed = reverses === null ? null : findClaimablePayment(books, reverses);
  if (!namesPayment({ ...group, payout, reverses: reversed && reverses })) {
    return {
      message: `Match ${group.id} has no payment.`,
      hint: 'Match its lines to a payment manually, or assign them to a category.',
    };
  }
  const items = listMatchItems(books, group.id);
  const difference = group.lines_in_cents - group.transactions_in_cents - group.adjustments_in_cents;
  if (difference !== 0) {
    return {
      message: `Match ${group.id} leaves ${formatMoney(difference)} ${group.currency} unexplained.`,
      hint: 'Match the lines and payments manually, and assign the difference to a category.',
    };
  }
  return items.map((item) => findClaimBlocker(books, item)).find((blocker) => blocker !== null) ?? null;
}

/** Returns the reason why a line or payment cannot be used by a match, or null if it can be. */
function findClaimBlocker(
  books: WritableDb,
  { line_id, transaction_id, allocated_in_cents }: ReturnType<typeof listMatchItems>[number],
): { message: string; hint: string } | null {
  if (line_id === null && transaction_id === null) return null;
  const label = line_id === null ? `Payment ${transaction_id}` : `Line ${line_id}`;
  const amounts =
    line_id === null ? findClaimablePayment(books, transaction_id!) : findClaimableLine(books, line_id);
  if (amounts !== null && isAmountUnmatched(amounts, allocated_in_cents)) return null;
  return {
    message: amounts === null ? `${label} no longer exists.` : `${label} belongs to another match.`,
    hint: 'Undo that match first, or decline this one.',
  };
}

/** Returns true if at least this amount of the line or payment is unmatched. */
export function isAmountUnmatched(
  { amount_in_cents, claimed_in_cents }: ClaimableAmount,
  amount: number,
): boolean {
  const open = amount_in_cents - claimed_in_cents;
  return amount !== 0 && Math.sign(amount) === Math.sign(open) && Math.abs(amount) <= Math.abs(open);
}

/** Creates the error for a decision that a match's status or amounts do not allow. */
export function createMatchConflictError(message: string, hint: string): Error {
  return createNonRetryableError('conflict', message, hint);
}

/** Number of matches confirmed per transaction. */
const CONFIRMATION_BATCH_SIZE = 500;

/** Confirms a rule's suggested matches as far as possible. Returns the numbers of confirmed and remaining matches. */
export async function confirmMatchesSuggestedByRule(
  context: DecisionContext,
  input: ContractInputs['match']['acceptRule'] & { filter: MatchListFilter },
): Promise<{ confirmed: number; left: number }> {
  const { site, rule, filter } = input;
  const { stores, changes } = context;
  const { books } = stores.open(site);
  const ids = listSuggestedMatches(books, { ...filter, status: ['suggested'], rule: [rule] });
  let confirmed = 0;
  for (let from = 0; from < ids.length; from += CONFIRMATION_BATCH_SIZE) {
    await yieldToEventLoop();
    const batch = ids.slice(from, from + CONFIRMATION_BATCH_SIZE);
    runExclusively(context, site, 'a decision about matches', () =>
      runInTransaction(books, () => {
        confirmed += confirmBatch(context, books, batch, rule);
      }),
    );
    changes.emit(site, 'match', 'bank', 'audit');
  }
  return { confirmed, left: ids.length - confirmed };
}

type MatchListFilter = Parameters<typeof planMatchList>[1]['filter'];

function listSuggestedMatches(books: WritableDb, filter: MatchListFilter): number[] {
  const query = { filter, sort: { by: 'dated_on', direction: 'asc' } } as const;
  const ids: number[] = [];
  for (let after: string | undefined; ; ) {
    const page = readListPage(books, planMatchList(books, query), { after, limit: 1000 });
    ids.push(...toRowIds(page.keys));
    if (page.next === null) return ids;
    after = page.next;
  }
}

/** Confirms as many of the matches as possible. Returns their number. Must be called in a transaction. */
function confirmBatch(
  { now, user }: DecisionContext,
  books: WritableDb,
  ids: readonly number[],
  rule: string,
): number {
  const at = now();
  const reason = `Every suggestion of ${rule} was accepted.`;
  const confirmed: number[] = [];
  for (const id of ids) {
    const group = findMatch(books, id);
    if (group === null || findConfirmationBlocker(books, group) !== null) continue;
    recordMatchDecision(books, group, 'confirmed', { at, by: user, reason });
    confirmed.push(id);
  }
  if (confirmed.length === 0) return 0;
  const detail = { groups: formatNumberRanges(confirmed), count: confirmed.length };
  addAuditEntry(books, { at, user, action: 'match.accept-rule', subject: rule, detail });
  return confirmed.length;
}
