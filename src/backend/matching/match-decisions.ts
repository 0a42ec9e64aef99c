import { contractError, type Inputs, type MatchGroup, type MatchNote } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import type { DecisionContext } from '../jobs/exclusive-change.ts';
import { runExclusively } from '../jobs/exclusive-change.ts';
import { refuseLockedMatches } from '../period-lock/period-lock.ts';
import { formatRanges } from '../shared/number-ranges.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { idsOf, readPage } from '../store/lists/keyset-pagination.ts';
import {
  addEntry,
  addNote,
  groupById,
  itemsOf,
  lineStanding,
  paymentStanding,
  type Standing,
  type StoredGroup,
  setGroupStatus,
} from '../store/matching/match-group.ts';
import { matchGroups } from '../store/matching/match-group-list.ts';
import { groupReading } from '../store/matching/match-group-reading.ts';
import { commit, type WritableDb } from '../store/sqlite/connection.ts';

/** Maximum number of lines and payments returned per match after a decision. */
const MAX_MEMBERS_RETURNED = 20;

interface MatchDecisionInput {
  site: string;
  ids: readonly number[];
  reason?: string | undefined;
}

/**
 * Confirms suggested or ambiguous matches. Throws `conflict` if a match has another status, does not add up to zero, or
 * contains a line or payment that another match uses.
 */
export function confirmMatches(tools: DecisionContext, input: MatchDecisionInput): MatchGroup[] {
  return applyDecision(tools, input, 'confirm', (books, group, at) => {
    const blocker = findConfirmationBlocker(books, group);
    if (blocker !== null) throw contractError(matchConflictError(blocker.message, blocker.hint));
    setDecidedStatus(books, group, 'confirmed', { at, by: tools.user, reason: input.reason ?? null });
  });
}

/** Declines suggested or ambiguous matches. Throws `conflict` if a match has another status. */
export function declineMatches(tools: DecisionContext, input: MatchDecisionInput): MatchGroup[] {
  return applyDecision(tools, input, 'decline', (books, group, at) => {
    if (!isProposal(group)) {
      throw contractError(
        matchConflictError(
          `Match ${group.id} is ${group.status}.`,
          'Only a proposal can be declined; undo it instead.',
        ),
      );
    }
    setDecidedStatus(books, group, 'declined', { at, by: tools.user, reason: input.reason ?? null });
  });
}

/**
 * Undoes confirmed or declined matches. Throws `conflict` if a match has another status, and `period_locked` if it
 * belongs to a closed period.
 */
export function undoMatches(
  tools: DecisionContext,
  input: MatchDecisionInput & { reason: string },
): MatchGroup[] {
  return applyDecision(tools, input, 'undo', (books, group, at) => {
    if (group.status !== 'confirmed' && group.status !== 'declined') {
      const hint = isProposal(group) ? 'Decline it, if it is wrong.' : 'Nothing needs to be done.';
      throw contractError(matchConflictError(`Match ${group.id} is ${group.status}.`, hint));
    }
    refuseLockedMatches(books, [group.id]);
    setDecidedStatus(books, group, 'undone', { at, by: tools.user, reason: input.reason });
  });
}

/**
 * Sets a match's status by a person's decision and adds it to the match's history. If a confirmed match is undone, later
 * runs do not confirm it again.
 */
export function setDecidedStatus(
  books: WritableDb,
  group: StoredGroup,
  status: 'confirmed' | 'declined' | 'undone',
  change: { at: number; by: string; reason: string | null },
): void {
  setGroupStatus(books, group.id, status, change, status === 'undone' && group.status === 'confirmed');
  addEntry(books, group.id, { at: change.at, user: change.by, action: status, text: change.reason });
}

const isProposal = ({ status }: StoredGroup): boolean => status === 'suggested' || status === 'ambiguous';

/** Applies a decision to all of the matches or to none. Adds an audit entry for each match. */
function applyDecision(
  tools: DecisionContext,
  { site, ids, reason }: MatchDecisionInput,
  verb: 'confirm' | 'decline' | 'undo',
  apply: (books: WritableDb, group: StoredGroup, at: number) => void,
): MatchGroup[] {
  const { books } = tools.stores.open(site);
  const at = tools.now();
  const distinct = [...new Set(ids)];
  runExclusively(tools, site, 'a decision about matches', () =>
    commit(books, () => {
      for (const id of distinct) {
        const group = requireMatch(books, id);
        apply(books, group, at);
        addAudit(books, {
          at,
          user: tools.user,
          action: `match.${verb}`,
          subject: String(id),
          reason: reason ?? null,
          detail: toMatchAuditDetail(books, group),
        });
      }
    }),
  );
  tools.changes.emit(site, 'match', 'bank', 'audit');
  return matchGroups(books, distinct, MAX_MEMBERS_RETURNED);
}

export function requireMatch(books: WritableDb, id: number): StoredGroup {
  const group = groupById(books, id);
  if (group !== null) return group;
  throw contractError({
    code: 'not_found',
    message: `There is no match ${id}.`,
    hint: 'A run may have made the proposals anew: see the list of matches.',
    retryable: false,
  });
}

/** Returns a match's content for the audit log. */
export function toMatchAuditDetail(books: WritableDb, group: StoredGroup): Record<string, unknown> {
  const items = itemsOf(books, group.id);
  return {
    rule: group.rule,
    status: group.status,
    currency: group.currency,
    lines: formatRanges(items.flatMap(({ line_id }) => line_id ?? [])),
    transactions: formatRanges(items.flatMap(({ transaction_id }) => transaction_id ?? [])),
    lines_in_cents: group.lines_in_cents,
    transactions_in_cents: group.transactions_in_cents,
    adjustments: items.flatMap(({ category, allocated_in_cents }) =>
      category === null ? [] : [{ category, amount_in_cents: allocated_in_cents }],
    ),
  };
}

/** Returns the reason why a match cannot be confirmed, or null if it can be. */
function findConfirmationBlocker(
  books: WritableDb,
  group: StoredGroup,
): { message: string; hint: string } | null {
  if (!isProposal(group)) {
    return { message: `Match ${group.id} is ${group.status}.`, hint: 'Only a proposal can be confirmed.' };
  }
  const items = itemsOf(books, group.id);
  const difference = group.lines_in_cents - group.transactions_in_cents - group.adjustments_in_cents;
  if (items.length < 2 || difference !== 0) {
    const left = `${formatMoney(difference)} ${group.currency}`;
    return {
      message:
        items.length < 2
          ? `Match ${group.id} names no payment: several fit alike.`
          : `Match ${group.id} leaves ${left} unexplained.`,
      hint: 'Put the lines and payments together by hand, and the difference down to a category.',
    };
  }
  for (const { line_id, transaction_id, allocated_in_cents } of items) {
    if (line_id === null && transaction_id === null) continue;
    const what = line_id === null ? `Payment ${transaction_id}` : `Line ${line_id}`;
    const amounts = line_id === null ? paymentStanding(books, transaction_id!) : lineStanding(books, line_id);
    if (amounts !== null && isAmountUnmatched(amounts, allocated_in_cents)) continue;
    return {
      message: amounts === null ? `${what} is not there any more.` : `${what} is explained by another match.`,
      hint: 'Undo that one first, or decline this one.',
    };
  }
  return null;
}

/** Returns true if at least this amount of the line or payment is unmatched. */
export function isAmountUnmatched({ amount_in_cents, claimed_in_cents }: Standing, amount: number): boolean {
  const open = amount_in_cents - claimed_in_cents;
  return amount !== 0 && Math.sign(amount) === Math.sign(open) && Math.abs(amount) <= Math.abs(open);
}

export function matchConflictError(message: string, hint: string) {
  return { code: 'conflict' as const, message, hint, retryable: false };
}

/** Number of matches confirmed per transaction. */
const CONFIRMATION_BATCH_SIZE = 500;

/**
 * Confirms all suggested matches of a rule that can be confirmed. Returns how many were confirmed and how many were not.
 */
export async function confirmSuggestedMatchesOfRule(
  tools: DecisionContext,
  input: Inputs['match']['acceptRule'] & { filter: Parameters<typeof groupReading>[1]['filter'] },
): Promise<{ confirmed: number; left: number }> {
  const { site, rule, filter } = input;
  const { books } = tools.stores.open(site);
  const query = {
    filter: { ...filter, status: ['suggested' as const], rule: [rule] },
    sort: { by: 'dated_on' as const, direction: 'asc' as const },
  };
  const ids: number[] = [];
  for (let after: string | undefined; ; ) {
    const page = readPage(books, groupReading(books, query), { after, limit: 1000 });
    ids.push(...idsOf(page.keys));
    if (page.next === null) break;
    after = page.next;
  }
  const confirmed: number[] = [];
  for (let from = 0; from < ids.length; from += CONFIRMATION_BATCH_SIZE) {
    await yieldToEventLoop();
    runExclusively(tools, site, 'a decision about matches', () =>
      commit(books, () => {
        const at = tools.now();
        const reason = `Every suggestion of ${rule} was accepted.`;
        const accepted: number[] = [];
        for (const id of ids.slice(from, from + CONFIRMATION_BATCH_SIZE)) {
          const group = groupById(books, id);
          if (group === null || findConfirmationBlocker(books, group) !== null) continue;
          setDecidedStatus(books, group, 'confirmed', { at, by: tools.user, reason: reason });
          accepted.push(id);
        }
        if (accepted.length === 0) return;
        const detail = { groups: formatRanges(accepted), count: accepted.length };
        addAudit(books, { at, user: tools.user, action: 'match.accept-rule', subject: rule, detail });
        confirmed.push(...accepted);
      }),
    );
    tools.changes.emit(site, 'match', 'bank', 'audit');
  }
  return { confirmed: confirmed.length, left: ids.length - confirmed.length };
}

/** Adds a note to a match, line or payment. Throws `not_found` if it does not exist. */
export function addMatchNote(tools: DecisionContext, { site, on, text }: Inputs['match']['note']): MatchNote {
  const { books } = tools.stores.open(site);
  const { user } = tools;
  const at = tools.now();
  const [kind, id] = Object.entries(on)[0] as [string, number];
  const exists =
    'group' in on
      ? groupById(books, on.group) !== null
      : 'line' in on
        ? lineStanding(books, on.line) !== null
        : paymentStanding(books, on.transaction) !== null;
  if (!exists) {
    throw contractError({
      code: 'not_found',
      message: `There is no ${kind} ${id} to write about.`,
      hint: 'See the lists for those there are.',
      retryable: false,
    });
  }
  commit(books, () => {
    addNote(books, on, { at, user, text });
    addAudit(books, { at, user, action: 'match.note', subject: `${kind} ${id}`, detail: { text } });
  });
  tools.changes.emit(site, 'match', 'bank', 'audit');
  return { at: formatTimestamp(at), user, text };
}
