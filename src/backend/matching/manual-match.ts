import { contractError, type Inputs, type MatchGroup } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import type { DecisionContext } from '../jobs/exclusive-change.ts';
import { runExclusively } from '../jobs/exclusive-change.ts';
import { refuseLockedMatches } from '../period-lock/period-lock.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import {
  addEntry,
  addGroup,
  groupById,
  itemsOf,
  lineStanding,
  type NewAdjustment,
  paymentStanding,
  type Share,
  type Standing,
} from '../store/matching/match-group.ts';
import { matchGroups } from '../store/matching/match-group-list.ts';
import { commit, type WritableDb } from '../store/sqlite/connection.ts';
import {
  isAmountUnmatched,
  matchConflictError,
  requireMatch,
  setDecidedStatus,
  toMatchAuditDetail,
} from './match-decisions.ts';

const MAX_MEMBERS_RETURNED = 20;

/** Lines, payments and adjustments of a match made by a person. */
export interface ManualMatch {
  lines: readonly { id: number; allocated_in_cents?: number | undefined }[];
  transactions: readonly { id: number; allocated_in_cents?: number | undefined }[];
  adjustments: readonly NewAdjustment[];
}

/**
 * Creates a confirmed match from the chosen lines and payments. Throws `not_found`, and `conflict` if they do not add up
 * to zero or are matched already.
 */
export function createManualMatch(
  tools: DecisionContext,
  { site, reason, ...content }: ManualMatch & { site: string; reason?: string | undefined },
): MatchGroup {
  const { books } = tools.stores.open(site);
  const id = runExclusively(tools, site, 'a match by hand', () =>
    commit(books, () => addConfirmedMatch(tools, books, content, 'manual', reason ?? null)),
  );
  return publishMatches(tools, site, [id])[0]!;
}

/**
 * Splits a match: undoes it and creates the parts as new matches. Throws `conflict` if it is not confirmed or a part is
 * invalid, and `period_locked` if it belongs to a closed period.
 */
export function splitMatch(
  tools: DecisionContext,
  { site, id, parts, reason }: { site: string; id: number; parts: readonly ManualMatch[]; reason: string },
): MatchGroup[] {
  const { books } = tools.stores.open(site);
  const createdIds = runExclusively(tools, site, 'a match by hand', () =>
    commit(books, () => {
      const group = requireMatch(books, id);
      if (group.status !== 'confirmed') {
        throw contractError(
          matchConflictError(`Match ${id} is ${group.status}.`, 'Only a confirmed one can be split.'),
        );
      }
      refuseLockedMatches(books, [id]);
      const members = itemsOf(books, id);
      const lines = new Set(members.flatMap(({ line_id }) => line_id ?? []));
      const payments = new Set(members.flatMap(({ transaction_id }) => transaction_id ?? []));
      const foreignRow =
        parts.flatMap((part) => part.lines).find((line) => !lines.has(line.id)) ??
        parts.flatMap((part) => part.transactions).find((payment) => !payments.has(payment.id));
      if (foreignRow !== undefined) {
        throw contractError(
          matchConflictError(
            `${foreignRow.id} is not in match ${id}.`,
            'Split what it holds, and match the rest by hand.',
          ),
        );
      }
      const at = tools.now();
      setDecidedStatus(books, group, 'undone', { at, by: tools.user, reason: reason });
      const detail = toMatchAuditDetail(books, group);
      addAudit(books, {
        at,
        user: tools.user,
        action: 'match.split',
        subject: String(id),
        reason: reason,
        detail,
      });
      return parts.map((part) => addConfirmedMatch(tools, books, part, 'manual', reason));
    }),
  );
  return publishMatches(tools, site, createdIds);
}

/** Assigns the unmatched amount of each row to a category. Throws `conflict` if a row is fully matched. */
export function writeOffRows(
  tools: DecisionContext,
  { site, lines = [], transactions = [], category, reason }: Inputs['match']['writeOff'],
): MatchGroup[] {
  if (lines.length + transactions.length === 0) {
    throw contractError({
      code: 'validation',
      message: 'Nothing was named to write off.',
      hint: 'Choose lines or payments.',
      retryable: false,
    });
  }
  const { books } = tools.stores.open(site);
  const createdIds = runExclusively(tools, site, 'a write-off', () =>
    commit(books, () => {
      const writeOffRow = (content: Pick<ManualMatch, 'lines' | 'transactions'>, open: number) =>
        addConfirmedMatch(
          tools,
          books,
          { ...content, adjustments: [{ category, amount_in_cents: open, reason }] },
          'write-off',
          reason,
        );
      return [
        ...[...new Set(lines)].map((id) =>
          writeOffRow({ lines: [{ id }], transactions: [] }, unmatchedAmount(requireLine(books, id))),
        ),
        ...[...new Set(transactions)].map((id) =>
          writeOffRow({ lines: [], transactions: [{ id }] }, 0 - unmatchedAmount(requirePayment(books, id))),
        ),
      ];
    }),
  );
  return publishMatches(tools, site, createdIds);
}

function publishMatches(tools: DecisionContext, site: string, ids: readonly number[]): MatchGroup[] {
  tools.changes.emit(site, 'match', 'bank', 'audit');
  return matchGroups(tools.stores.open(site).books, ids, MAX_MEMBERS_RETURNED);
}

const unmatchedAmount = ({ amount_in_cents, claimed_in_cents }: Standing) =>
  amount_in_cents - claimed_in_cents;

/** Validates and adds a confirmed match. The database's triggers validate it as well. */
function addConfirmedMatch(
  { user, now }: DecisionContext,
  books: WritableDb,
  content: ManualMatch,
  rule: 'manual' | 'write-off',
  reason: string | null,
): number {
  const lines = content.lines.map((each) => toMatchMember('Line', each, requireLine(books, each.id)));
  const payments = content.transactions.map((each) =>
    toMatchMember('Payment', each, requirePayment(books, each.id)),
  );
  const all = [...lines, ...payments];
  const [first] = all;
  if (
    first === undefined ||
    new Set(content.lines.map(({ id }) => id)).size < lines.length ||
    new Set(content.transactions.map(({ id }) => id)).size < payments.length
  ) {
    throw contractError({
      code: 'validation',
      message: first === undefined ? 'Nothing was chosen.' : 'A line or payment was named twice.',
      hint: 'Choose lines and payments, each once.',
      retryable: false,
    });
  }
  const other = all.find(({ currency }) => currency !== first.currency);
  if (other !== undefined) {
    throw contractError(
      matchConflictError(
        `${first.what} is in ${first.currency}, ${other.what.toLowerCase()} in ${other.currency}.`,
        'A match has one currency: put each down to a category, with the rate in the reason.',
      ),
    );
  }
  const sum = (shares: readonly Share[]) =>
    shares.reduce((total, each) => total + each.allocated_in_cents, 0);
  const adjusted = content.adjustments.reduce((total, each) => total + each.amount_in_cents, 0);
  const difference = sum(lines) - sum(payments) - adjusted;
  if (difference !== 0) {
    throw contractError(
      matchConflictError(
        `The lines come to ${formatMoney(sum(lines))} ${first.currency}, the payments to ${formatMoney(sum(payments))}: ${formatMoney(difference)} is left.`,
        'Choose others, allocate less, or put the difference down to a category.',
      ),
    );
  }
  const at = now();
  const days = (lines.length > 0 ? lines : payments).map(({ dated_on }) => dated_on).toSorted();
  const id = addGroup(books, {
    status: 'confirmed',
    rule,
    rule_version: 1,
    score: 100,
    currency: first.currency,
    dated_on: days[0]!,
    lines,
    payments,
    adjustments: content.adjustments,
    alternatives: 0,
    reasons: [],
    key: null,
    user_rule: null,
    payout_id: null,
    reverses: null,
    run_id: null,
    at,
    by: user,
    reason: reason,
  });
  addEntry(books, id, { at, user: user, action: 'made', text: reason });
  const detail = toMatchAuditDetail(books, groupById(books, id)!);
  const action = rule === 'manual' ? 'match.make' : 'match.write-off';
  addAudit(books, { at, user: user, action, subject: String(id), reason: reason, detail });
  return id;
}

interface MatchMember extends Share {
  what: string;
  currency: string;
  dated_on: string;
}

/** Returns a line or payment as a member of a match, with the given amount or its entire unmatched amount. */
function toMatchMember(
  what: string,
  { id, allocated_in_cents }: { id: number; allocated_in_cents?: number | undefined },
  amounts: Standing,
): MatchMember {
  const { currency, dated_on } = amounts;
  const amount = allocated_in_cents ?? unmatchedAmount(amounts);
  if (!isAmountUnmatched(amounts, amount)) {
    const open = `${formatMoney(unmatchedAmount(amounts))} ${currency}`;
    throw contractError(
      matchConflictError(
        `${what} ${id} has ${open} open; ${formatMoney(amount)} cannot be taken of it.`,
        'Undo the match that has the rest, or take less.',
      ),
    );
  }
  return { id, allocated_in_cents: amount, what: `${what} ${id}`, currency, dated_on };
}

function requireLine(books: WritableDb, id: number): Standing {
  return requireFoundRow(lineStanding(books, id), `line ${id}`);
}

function requirePayment(books: WritableDb, id: number): Standing {
  return requireFoundRow(paymentStanding(books, id), `payment ${id}`);
}

function requireFoundRow(amounts: Standing | null, what: string): Standing {
  if (amounts !== null) return amounts;
  throw contractError({
    code: 'not_found',
    message: `There is no ${what}.`,
    hint: 'See the list for those there are.',
    retryable: false,
  });
}
