import { contractError, type Inputs, type MatchGroup } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import type { DecisionContext } from '../jobs/exclusive-change.ts';
import { runExclusively } from '../jobs/exclusive-change.ts';
import { refuseLockedGroups } from '../period-lock/refuse-locked.ts';
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
  auditContentOfMatch,
  isAmountOpen,
  matchConflict,
  requireMatch,
  setDecidedStatus,
} from './decisions.ts';

const SHOWN = 20;

/** A manual match. */
export interface ManualMatch {
  lines: readonly { id: number; allocated_in_cents?: number | undefined }[];
  transactions: readonly { id: number; allocated_in_cents?: number | undefined }[];
  adjustments: readonly NewAdjustment[];
}

/**
 * Creates a confirmed manual match. Throws `not_found`, and `conflict` if the members do not add up to zero or are not
 * open.
 */
export function createManualMatch(
  tools: DecisionContext,
  { site, reason, ...put }: ManualMatch & { site: string; reason?: string | undefined },
): MatchGroup {
  const { books } = tools.stores.open(site);
  const id = runExclusively(tools, site, 'a match by hand', () =>
    commit(books, () => add(tools, books, put, 'manual', reason ?? null)),
  );
  return shown(tools, site, [id])[0]!;
}

/**
 * Splits a match: undoes it and creates the parts. Throws `conflict` if it is not confirmed or a part is invalid,
 * `period_locked` if it is signed.
 */
export function splitMatch(
  tools: DecisionContext,
  { site, id, parts, reason }: { site: string; id: number; parts: readonly ManualMatch[]; reason: string },
): MatchGroup[] {
  const { books } = tools.stores.open(site);
  const made = runExclusively(tools, site, 'a match by hand', () =>
    commit(books, () => {
      const group = requireMatch(books, id);
      if (group.status !== 'confirmed') {
        throw contractError(
          matchConflict(`Match ${id} is ${group.status}.`, 'Only a confirmed one can be split.'),
        );
      }
      refuseLockedGroups(books, [id]);
      const members = itemsOf(books, id);
      const lines = new Set(members.flatMap(({ line_id }) => line_id ?? []));
      const payments = new Set(members.flatMap(({ transaction_id }) => transaction_id ?? []));
      const stranger =
        parts.flatMap((part) => part.lines).find((line) => !lines.has(line.id)) ??
        parts.flatMap((part) => part.transactions).find((payment) => !payments.has(payment.id));
      if (stranger !== undefined) {
        throw contractError(
          matchConflict(
            `${stranger.id} is not in match ${id}.`,
            'Split what it holds, and match the rest by hand.',
          ),
        );
      }
      const at = tools.now();
      setDecidedStatus(books, group, 'undone', { at, by: tools.user, reason: reason });
      const detail = auditContentOfMatch(books, group);
      addAudit(books, {
        at,
        user: tools.user,
        action: 'match.split',
        subject: String(id),
        reason: reason,
        detail,
      });
      return parts.map((part) => add(tools, books, part, 'manual', reason));
    }),
  );
  return shown(tools, site, made);
}

/** Assigns the open amount of each row to a category. Throws `conflict` if nothing is open. */
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
  const made = runExclusively(tools, site, 'a write-off', () =>
    commit(books, () => {
      const one = (put: Pick<ManualMatch, 'lines' | 'transactions'>, open: number) =>
        add(
          tools,
          books,
          { ...put, adjustments: [{ category, amount_in_cents: open, reason }] },
          'write-off',
          reason,
        );
      return [
        ...[...new Set(lines)].map((id) =>
          one({ lines: [{ id }], transactions: [] }, openOf(line(books, id))),
        ),
        ...[...new Set(transactions)].map((id) =>
          one({ lines: [], transactions: [{ id }] }, 0 - openOf(payment(books, id))),
        ),
      ];
    }),
  );
  return shown(tools, site, made);
}

function shown(tools: DecisionContext, site: string, ids: readonly number[]): MatchGroup[] {
  tools.changes.tell(site, 'match', 'bank', 'audit');
  return matchGroups(tools.stores.open(site).books, ids, SHOWN);
}

const openOf = ({ amount_in_cents, claimed_in_cents }: Standing) => amount_in_cents - claimed_in_cents;

/** Adds a confirmed match after validating it. The database's triggers validate it as well. */
function add(
  { user, now }: DecisionContext,
  books: WritableDb,
  put: ManualMatch,
  rule: 'manual' | 'write-off',
  reason: string | null,
): number {
  const lines = put.lines.map((each) => share('Line', each, line(books, each.id)));
  const payments = put.transactions.map((each) => share('Payment', each, payment(books, each.id)));
  const all = [...lines, ...payments];
  const [first] = all;
  if (
    first === undefined ||
    new Set(put.lines.map(({ id }) => id)).size < lines.length ||
    new Set(put.transactions.map(({ id }) => id)).size < payments.length
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
      matchConflict(
        `${first.what} is in ${first.currency}, ${other.what.toLowerCase()} in ${other.currency}.`,
        'A match has one currency: put each down to a category, with the rate in the reason.',
      ),
    );
  }
  const sum = (shares: readonly Share[]) =>
    shares.reduce((total, each) => total + each.allocated_in_cents, 0);
  const adjusted = put.adjustments.reduce((total, each) => total + each.amount_in_cents, 0);
  const difference = sum(lines) - sum(payments) - adjusted;
  if (difference !== 0) {
    throw contractError(
      matchConflict(
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
    adjustments: put.adjustments,
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
  const detail = auditContentOfMatch(books, groupById(books, id)!);
  const action = rule === 'manual' ? 'match.make' : 'match.write-off';
  addAudit(books, { at, user: user, action, subject: String(id), reason: reason, detail });
  return id;
}

interface Part extends Share {
  what: string;
  currency: string;
  dated_on: string;
}

/** Returns the claimed amount of a line or payment: the given amount, else its open amount. */
function share(
  what: string,
  { id, allocated_in_cents }: { id: number; allocated_in_cents?: number | undefined },
  standing: Standing,
): Part {
  const { currency, dated_on } = standing;
  const wanted = allocated_in_cents ?? openOf(standing);
  if (!isAmountOpen(standing, wanted)) {
    const open = `${formatMoney(openOf(standing))} ${currency}`;
    throw contractError(
      matchConflict(
        `${what} ${id} has ${open} open; ${formatMoney(wanted)} cannot be taken of it.`,
        'Undo the match that has the rest, or take less.',
      ),
    );
  }
  return { id, allocated_in_cents: wanted, what: `${what} ${id}`, currency, dated_on };
}

function line(books: WritableDb, id: number): Standing {
  return there(lineStanding(books, id), `line ${id}`);
}

function payment(books: WritableDb, id: number): Standing {
  return there(paymentStanding(books, id), `payment ${id}`);
}

function there(standing: Standing | null, what: string): Standing {
  if (standing !== null) return standing;
  throw contractError({
    code: 'not_found',
    message: `There is no ${what}.`,
    hint: 'See the list for those there are.',
    retryable: false,
  });
}
