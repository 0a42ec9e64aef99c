import { matchReasonSchema, type PackDecisions } from '../../contract/index.ts';
import { buildMatchKey } from '../../domain/matching/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { isAmountUnmatched, toMatchAuditDetail } from '../matching/match-decisions.ts';
import { toStoredMatchKey } from '../matching/matching-inputs.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  findPayoutByIdentity,
  findPayoutDepositMatch,
  isMatchRuleRemoved,
  listMatchesContainingItem,
} from '../store/evidence-pack/find-pack-rows.ts';
import {
  addMatch,
  addMatchHistoryEntry,
  type ClaimedShare,
  discardMatchProposal,
  findClaimableLine,
  findClaimablePayment,
  findMatch,
  listMatchItems,
  type StoredMatchGroup,
  setMatchStatus,
} from '../store/matching/match-group.ts';
import { addMatchRule, listMatchRules, type MatchRuleContent } from '../store/matching/match-rule.ts';
import { findMatchByKey } from '../store/matching/matching-input.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';
import {
  ADDED_BY_PACK_IMPORT,
  type ComparedDecision,
  createDecisionComparisonFactory,
  describeBankLine,
  describeOriginalDecision,
  findBankLineId,
  type PackComparison,
} from './decision-comparison.ts';

type PackMatch = PackDecisions['matches'][number];

/**
 * Ids of the pack's matches in these books, by index in the pack: `ADDED_BY_PACK_IMPORT` if added by an import, or null
 * if the match differs.
 */
export type MatchIds = Map<number, number | null>;

/** Compares the match rules, then the matches that refer to them. Sets the ids of the matches. */
export function* compareMatchDecisions(
  comparison: PackComparison,
  { rules, matches }: PackDecisions,
  matchIds: MatchIds,
): Generator<ComparedDecision> {
  yield* compareRules(comparison, rules);
  for (const [index, match] of matches.entries()) {
    matchIds.set(index, null);
    yield compareMatch(comparison, match, (id) => matchIds.set(index, id));
  }
}

/** Compares the user's match rules. A rule is identified by its title. */
function* compareRules(
  { open: { books }, period }: PackComparison,
  rules: PackDecisions['rules'],
): Generator<ComparedDecision> {
  const storedByTitle = new Map(listMatchRules(books).map((rule) => [rule.title, rule]));
  const toComparable = ({ enabled, conditions, action }: MatchRuleContent) =>
    JSON.stringify([enabled, conditions, action]);
  for (const rule of rules) {
    const result = createDecisionComparisonFactory('rules', { text: rule.title });
    const stored = storedByTitle.get(rule.title);
    if (stored !== undefined)
      yield toComparable(stored) === toComparable(rule)
        ? result.same()
        : result.different('The rule is different on this site.');
    else if (isMatchRuleRemoved(books, rule.title))
      yield result.different('The rule was removed on this site.');
    else
      yield result.missing((by) => {
        const id = addMatchRule(books, rule, by);
        const detail = { ...rule, ...describeOriginalDecision(period, null, null) };
        addAuditEntry(books, { ...by, action: 'match.save-rule', subject: String(id), detail });
      });
  }
}

function compareMatch(
  comparison: PackComparison,
  match: PackMatch,
  setMatchId: (id: number) => void,
): ComparedDecision {
  const { books } = comparison.open;
  const result = createDecisionComparisonFactory('matches', {
    text: `${match.status} ${match.rule}, ${match.dated_on}`,
    amount_in_cents: getMatchAmount(match),
    currency: match.currency,
    at: match.changed_at,
    user: match.changed_by,
  });
  const lines: ClaimedShare[] = [];
  for (const { line, allocated_in_cents } of match.lines) {
    const id = findBankLineId(comparison, line);
    if (id === null)
      return result.notStored(`${capitalize(describeBankLine(line))} is not stored on this site.`);
    lines.push({ id, allocated_in_cents });
  }
  const missingPayment = match.transactions.find(
    ({ id }) => findClaimablePayment(books, id) === null && !comparison.coming.payments.has(id),
  );
  if (missingPayment !== undefined)
    return result.notStored(`Payment ${missingPayment.id} is not stored on this site.`);

  const stored = findSameMatch(books, lines, match);
  if (stored?.status === match.status) {
    setMatchId(stored.id);
    return result.same();
  }
  const isProposal = stored?.status === 'suggested' || stored?.status === 'ambiguous';
  if (stored !== null && !isProposal)
    return result.different(`Match ${stored.id} of the same items is ${stored.status} on this site.`);
  const payout = match.payout === null ? null : findPayoutByIdentity(books, match.payout);
  if (match.status === 'confirmed') {
    const conflict = findUsedElsewhere(books, lines, match) ?? findDepositConflict(books, payout);
    if (conflict !== null) return result.different(conflict);
  }
  setMatchId(ADDED_BY_PACK_IMPORT);
  return result.missing((by) => {
    const id = stored?.id ?? restoreMatch(books, match, lines, payout);
    const change = { at: Date.parse(match.changed_at), by: match.changed_by, reason: match.reason };
    setMatchStatus(books, id, match.status, change);
    if (match.changed_by !== null) {
      const action = match.key === null ? 'made' : match.status === 'declined' ? 'declined' : 'confirmed';
      addMatchHistoryEntry(books, id, { at: change.at, user: match.changed_by, action, text: match.reason });
    }
    const detail = {
      ...toMatchAuditDetail(books, findMatch(books, id)!),
      ...describeOriginalDecision(comparison.period, change.at, match.changed_by),
    };
    addAuditEntry(books, { ...by, action: 'match.restore', subject: String(id), detail });
    setMatchId(id);
  });
}

function restoreMatch(
  books: WritableDb,
  match: PackMatch,
  lines: ClaimedShare[],
  payout: number | null,
): number {
  const { changed_by: by, made_at, reasons, user_rule, status, transactions, ...rest } = match;
  // Builds the match key from the lines' ids in these books, so that a matching run recognizes the match.
  const key = match.key === null ? null : toStoredMatchKey({ key: buildMatchKey(lines, transactions) });
  const at = Date.parse(made_at);
  const sameKey = key === null ? null : findMatchByKey(books, key);
  if (sameKey !== null) discardMatchProposal(books, sameKey.id, { at, by, reason: match.reason });
  return addMatch(books, {
    ...rest,
    status,
    reasons: matchReasonSchema.array().parse(reasons),
    lines,
    payments: transactions,
    key,
    user_rule:
      user_rule === null
        ? null
        : (listMatchRules(books).find(({ title }) => title === user_rule)?.id ?? null),
    payout_id: payout,
    run_id: null,
    at,
    by,
  });
}

/** Returns the match with the same members in these books. Prefers decided matches to proposals. */
function findSameMatch(
  books: WritableDb,
  lines: readonly ClaimedShare[],
  match: PackMatch,
): StoredMatchGroup | null {
  const first = lines[0] ?? match.transactions[0];
  if (first === undefined || lines.some(({ id }) => id === ADDED_BY_PACK_IMPORT)) return null;
  const expectedText = joinSorted([
    ...lines.map(({ id, allocated_in_cents }) => `line ${id} ${allocated_in_cents}`),
    ...match.transactions.map(({ id, allocated_in_cents }) => `payment ${id} ${allocated_in_cents}`),
    ...match.adjustments.map(({ category, amount_in_cents }) => `${category} ${amount_in_cents}`),
  ]);
  const candidates = listMatchesContainingItem(
    books,
    lines.length > 0 ? 'line' : 'transaction',
    first.id,
  ).flatMap((id) => {
    const group = findMatch(books, id)!;
    // A match that was undone because its lines or payments were removed is not a user's decision.
    const isRefused =
      group.auto_confirm_blocked === 1 || (match.status === 'declined' && group.changed_by !== null);
    const isNoDecision = group.status === 'undone' && !isRefused;
    return isNoDecision || joinSorted(formatItems(books, id)) !== expectedText ? [] : [group];
  });
  const rank = ({ status }: StoredMatchGroup) =>
    status === match.status ? 0 : ['confirmed', 'declined', 'undone'].includes(status) ? 1 : 2;
  return candidates.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

const joinSorted = (texts: readonly string[]): string => texts.toSorted().join('\n');

const formatItems = (books: WritableDb, id: number): string[] =>
  listMatchItems(books, id).map(({ line_id, transaction_id, category, allocated_in_cents }) =>
    line_id !== null
      ? `line ${line_id} ${allocated_in_cents}`
      : transaction_id !== null
        ? `payment ${transaction_id} ${allocated_in_cents}`
        : `${category} ${allocated_in_cents}`,
  );

/** Returns a sentence that names a line or payment of the pack's match that another match uses, or null. */
function findUsedElsewhere(
  books: WritableDb,
  lines: readonly ClaimedShare[],
  match: PackMatch,
): string | null {
  for (const [index, { id, allocated_in_cents }] of lines.entries()) {
    const amounts = id === ADDED_BY_PACK_IMPORT ? null : findClaimableLine(books, id);
    if (amounts !== null && !isAmountUnmatched(amounts, allocated_in_cents))
      return `${capitalize(describeBankLine(match.lines[index]!.line))} belongs to another match on this site.`;
  }
  for (const { id, allocated_in_cents } of match.transactions) {
    const amounts = findClaimablePayment(books, id);
    if (amounts !== null && !isAmountUnmatched(amounts, allocated_in_cents))
      return `Payment ${id} belongs to another match on this site.`;
  }
  return null;
}

function findDepositConflict(books: WritableDb, payout: number | null): string | null {
  const group = payout === null ? null : findPayoutDepositMatch(books, payout);
  return group === null ? null : `Match ${group} is already the deposit of its payout on this site.`;
}

/** Returns the match's absolute amount in cents. */
const getMatchAmount = ({ lines, transactions }: PackMatch): number => {
  const sum = (shares: readonly { allocated_in_cents: number }[]) =>
    Math.abs(shares.reduce((total, { allocated_in_cents }) => total + allocated_in_cents, 0));
  return Math.max(sum(lines), sum(transactions));
};
