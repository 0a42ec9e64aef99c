import { matchReasonSchema, type PackDecisions } from '../../contract/index.ts';
import { buildMatchKey } from '../../domain/matching/index.ts';
import { isAmountUnmatched, toMatchAuditDetail } from '../matching/match-decisions.ts';
import { toStoredMatchKey } from '../matching/matching-inputs.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { groupOfPayout, groupsHolding, isNoted, payoutOf } from '../store/evidence-pack/pack-places.ts';
import { groupOfKey } from '../store/matching/match-ground.ts';
import {
  addEntry,
  addGroup,
  addNote,
  dropProposal,
  groupById,
  itemsOf,
  lineStanding,
  paymentStanding,
  type Share,
  type StoredGroup,
  setGroupStatus,
} from '../store/matching/match-group.ts';
import { listRules } from '../store/matching/match-rule.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';
import {
  ADDED_BY_IMPORT,
  type ComparedDecision,
  createComparison,
  describeLine,
  describeOriginalDecision,
  findLineId,
  type PackComparison,
} from './compared-decision.ts';

type PackMatch = PackDecisions['matches'][number];
type PackNote = PackDecisions['notes'][number];

/** Per match of the pack, by index: its id in these books, `ADDED_BY_IMPORT`, or null if it differs. */
export type MatchIds = Map<number, number | null>;

/** Compares the matches of the pack with the books. Fills `matchIds` while they are compared and restored. */
export function* compareMatches(
  comparison: PackComparison,
  matches: readonly PackMatch[],
  matchIds: MatchIds,
): Generator<ComparedDecision> {
  for (const [index, match] of matches.entries()) {
    matchIds.set(index, null);
    yield compareMatch(comparison, match, (id) => matchIds.set(index, id));
  }
}

function compareMatch(
  comparison: PackComparison,
  match: PackMatch,
  setMatchId: (id: number) => void,
): ComparedDecision {
  const { books } = comparison.open;
  const result = createComparison('matches', {
    text: `${match.status} ${match.rule}, ${match.dated_on}`,
    amount_in_cents: matchAmount(match),
    currency: match.currency,
    at: match.changed_at,
    user: match.changed_by,
  });
  const lines: Share[] = [];
  for (const { line, allocated_in_cents } of match.lines) {
    const id = findLineId(comparison, line);
    if (id === null) return result.notStored(`${capitalize(describeLine(line))} is not held here.`);
    lines.push({ id, allocated_in_cents });
  }
  const willBeAdded = (id: number) => comparison.coming.payments.has(id);
  const missingPayment = match.transactions.find(
    ({ id }) => paymentStanding(books, id) === null && !willBeAdded(id),
  );
  if (missingPayment !== undefined) return result.notStored(`Payment ${missingPayment.id} is not held here.`);

  const stored = findSameMatch(books, lines, match);
  if (stored?.status === match.status) {
    setMatchId(stored.id);
    return result.same();
  }
  const isProposal = stored?.status === 'suggested' || stored?.status === 'ambiguous';
  if (stored !== null && !isProposal)
    return result.different(`Here match ${stored.id} of the same is ${stored.status}.`);
  const payout = match.payout === null ? null : payoutOf(books, match.payout);
  if (match.status === 'confirmed') {
    const conflict =
      findUsedElsewhere(books, lines, match, willBeAdded) ?? findDepositConflict(books, payout);
    if (conflict !== null) return result.different(conflict);
  }
  setMatchId(ADDED_BY_IMPORT);
  return result.missing((by) => {
    const id = stored?.id ?? restoreMatch(books, match, lines, payout);
    const change = { at: Date.parse(match.changed_at), by: match.changed_by, reason: match.reason };
    setGroupStatus(books, id, match.status, change);
    if (match.changed_by !== null) {
      const what = match.key === null ? 'made' : match.status === 'declined' ? 'declined' : 'confirmed';
      addEntry(books, id, { at: change.at, user: match.changed_by, action: what, text: match.reason });
    }
    const detail = {
      ...toMatchAuditDetail(books, groupById(books, id)!),
      ...describeOriginalDecision(comparison.period, change.at, match.changed_by),
    };
    addAudit(books, { ...by, action: 'match.restore', subject: String(id), detail });
    setMatchId(id);
  });
}

function restoreMatch(books: WritableDb, match: PackMatch, lines: Share[], payout: number | null): number {
  const { changed_by: by, made_at, reasons, user_rule, status, transactions, ...rest } = match;
  // The key is computed from the lines' ids in these books, so that a matching run finds the match again.
  const key = match.key === null ? null : toStoredMatchKey({ key: buildMatchKey(lines, transactions) });
  const at = Date.parse(made_at);
  const sameKey = key === null ? null : groupOfKey(books, key);
  if (sameKey !== null) dropProposal(books, sameKey.id, { at, by, reason: match.reason });
  return addGroup(books, {
    ...rest,
    status,
    reasons: matchReasonSchema.array().parse(reasons),
    lines,
    payments: transactions,
    key,
    user_rule:
      user_rule === null ? null : (listRules(books).find(({ title }) => title === user_rule)?.id ?? null),
    payout_id: payout,
    run_id: null,
    at,
    by,
  });
}

/** Returns the match with the same members in these books. Decided matches are preferred to proposals. */
function findSameMatch(books: WritableDb, lines: readonly Share[], match: PackMatch): StoredGroup | null {
  const first = lines[0] ?? match.transactions[0];
  if (first === undefined || lines.some(({ id }) => id === ADDED_BY_IMPORT)) return null;
  const expectedText = joinSorted([
    ...lines.map(({ id, allocated_in_cents }) => `line ${id} ${allocated_in_cents}`),
    ...match.transactions.map(({ id, allocated_in_cents }) => `payment ${id} ${allocated_in_cents}`),
    ...match.adjustments.map(({ category, amount_in_cents }) => `${category} ${amount_in_cents}`),
  ]);
  const candidates = groupsHolding(books, lines.length > 0 ? 'line' : 'transaction', first.id).flatMap(
    (id) => {
      const group = groupById(books, id)!;
      // A match that was undone because its lines or payments were removed is not a decision.
      const isRefused = group.refused === 1 || (match.status === 'declined' && group.changed_by !== null);
      const isNoDecision = group.status === 'undone' && !isRefused;
      return isNoDecision || joinSorted(formatItems(books, id)) !== expectedText ? [] : [group];
    },
  );
  const rank = ({ status }: StoredGroup) =>
    status === match.status ? 0 : ['confirmed', 'declined', 'undone'].includes(status) ? 1 : 2;
  return candidates.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

const joinSorted = (texts: readonly string[]): string => texts.toSorted().join('\n');

const formatItems = (books: WritableDb, id: number): string[] =>
  itemsOf(books, id).map(({ line_id, transaction_id, category, allocated_in_cents }) =>
    line_id !== null
      ? `line ${line_id} ${allocated_in_cents}`
      : transaction_id !== null
        ? `payment ${transaction_id} ${allocated_in_cents}`
        : `${category} ${allocated_in_cents}`,
  );

/** Returns a sentence that names a line or payment used by another match, or null if there is none. */
function findUsedElsewhere(
  books: WritableDb,
  lines: readonly Share[],
  { lines: named, transactions }: PackMatch,
  willBeAdded: (id: number) => boolean,
): string | null {
  for (const [at, { id, allocated_in_cents }] of lines.entries()) {
    const amounts = id === ADDED_BY_IMPORT ? null : lineStanding(books, id);
    if (amounts !== null && !isAmountUnmatched(amounts, allocated_in_cents))
      return `${capitalize(describeLine(named[at]!.line))} is explained by another match here.`;
  }
  for (const { id, allocated_in_cents } of transactions) {
    const amounts = paymentStanding(books, id);
    if (amounts === null ? !willBeAdded(id) : !isAmountUnmatched(amounts, allocated_in_cents))
      return `Payment ${id} is explained by another match here.`;
  }
  return null;
}

function findDepositConflict(books: WritableDb, payout: number | null): string | null {
  const group = payout === null ? null : groupOfPayout(books, payout);
  return group === null ? null : `Match ${group} is the deposit of its payout here.`;
}

const matchAmount = ({ lines, transactions }: PackMatch): number => {
  const sum = (shares: readonly { allocated_in_cents: number }[]) =>
    Math.abs(shares.reduce((all, each) => all + each.allocated_in_cents, 0));
  return Math.max(sum(lines), sum(transactions));
};

const capitalize = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** Compares the notes of the pack with the books. A note on a match is restored only together with the match. */
export function* compareNotes(
  comparison: PackComparison,
  notes: readonly PackNote[],
  matchIds: MatchIds,
): Generator<ComparedDecision> {
  const { books } = comparison.open;
  for (const note of notes) {
    const { at: moment, user, text } = note;
    const result = createComparison('notes', { text, at: moment, user });
    const [on, id, reason] =
      'match' in note
        ? (['group', matchIds.get(note.match) ?? null, 'Its match is not here as in the pack.'] as const)
        : 'line' in note
          ? ([
              'line',
              findLineId(comparison, note.line),
              `${capitalize(describeLine(note.line))} is not held here.`,
            ] as const)
          : ([
              'transaction',
              paymentStanding(books, note.transaction) !== null
                ? note.transaction
                : comparison.coming.payments.has(note.transaction)
                  ? ADDED_BY_IMPORT
                  : null,
              `Payment ${note.transaction} is not held here.`,
            ] as const);
    const at = Date.parse(moment);
    if (id === null) yield result.notStored(reason);
    else if (id !== ADDED_BY_IMPORT && isNoted(books, on, id, { at, user, text })) yield result.same();
    else {
      yield result.missing((by) => {
        addNote(books, { [on]: id }, { at, user, text });
        const detail = { text, ...describeOriginalDecision(comparison.period, at, user) };
        addAudit(books, { ...by, action: 'match.restore-note', subject: `${on} ${id}`, detail });
      });
    }
  }
}
