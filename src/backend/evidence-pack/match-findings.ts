import { matchReason, type PackDecisions } from '../../contract/index.ts';
import { buildMatchKey } from '../../domain/matching/index.ts';
import { auditContentOfMatch, isAmountOpen } from '../matching/decisions.ts';
import { storedMatchKey } from '../matching/ground.ts';
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
  comparedDecision,
  findLineId,
  lineText,
  originalDecision,
  type PackComparison,
} from './finding.ts';

type Match = PackDecisions['matches'][number];
type Note = PackDecisions['notes'][number];

/** A match's id in these books by its position in the pack: `COMING`, or null if it differs. */
export type MatchIds = Map<number, number | null>;

/** Compares each match of the pack. `places` is filled while they are compared and restored. */
export function* compareMatches(
  ground: PackComparison,
  matches: readonly Match[],
  places: MatchIds,
): Generator<ComparedDecision> {
  for (const [place, match] of matches.entries()) {
    places.set(place, null);
    yield matchFinding(ground, match, (id) => places.set(place, id));
  }
}

function matchFinding(ground: PackComparison, match: Match, placed: (id: number) => void): ComparedDecision {
  const { books } = ground.open;
  const told = comparedDecision('matches', {
    text: `${match.status} ${match.rule}, ${match.dated_on}`,
    amount_in_cents: sizeOf(match),
    currency: match.currency,
    at: match.changed_at,
    user: match.changed_by,
  });
  const lines: Share[] = [];
  for (const { line, allocated_in_cents } of match.lines) {
    const id = findLineId(ground, line);
    if (id === null) return told.notStored(`${capital(lineText(line))} is not held here.`);
    lines.push({ id, allocated_in_cents });
  }
  const isComing = (id: number) => ground.coming.payments.has(id);
  const strange = match.transactions.find(({ id }) => paymentStanding(books, id) === null && !isComing(id));
  if (strange !== undefined) return told.notStored(`Payment ${strange.id} is not held here.`);

  const stored = sameGroup(books, lines, match);
  if (stored?.status === match.status) {
    placed(stored.id);
    return told.same();
  }
  const isProposal = stored?.status === 'suggested' || stored?.status === 'ambiguous';
  if (stored !== null && !isProposal)
    return told.different(`Here match ${stored.id} of the same is ${stored.status}.`);
  const payout = match.payout === null ? null : payoutOf(books, match.payout);
  if (match.status === 'confirmed') {
    const taken = takenOf(books, lines, match, isComing) ?? depositOf(books, payout);
    if (taken !== null) return told.different(taken);
  }
  placed(ADDED_BY_IMPORT);
  return told.missing((by) => {
    const id = stored?.id ?? put(books, match, lines, payout);
    const change = { at: Date.parse(match.changed_at), by: match.changed_by, reason: match.reason };
    setGroupStatus(books, id, match.status, change);
    if (match.changed_by !== null) {
      const what = match.key === null ? 'made' : match.status === 'declined' ? 'declined' : 'confirmed';
      addEntry(books, id, { at: change.at, user: match.changed_by, action: what, text: match.reason });
    }
    const detail = {
      ...auditContentOfMatch(books, groupById(books, id)!),
      ...originalDecision(ground.period, change.at, match.changed_by),
    };
    addAudit(books, { ...by, action: 'match.restore', subject: String(id), detail });
    placed(id);
  });
}

function put(books: WritableDb, match: Match, lines: Share[], payout: number | null): number {
  const { changed_by: by, made_at, reasons, user_rule, status, transactions, ...rest } = match;
  // Computed from the lines' ids in these books, so that a matching run finds it again.
  const key = match.key === null ? null : storedMatchKey({ key: buildMatchKey(lines, transactions) });
  const at = Date.parse(made_at);
  const rival = key === null ? null : groupOfKey(books, key);
  if (rival !== null) dropProposal(books, rival.id, { at, by, reason: match.reason });
  return addGroup(books, {
    ...rest,
    status,
    reasons: matchReason.array().parse(reasons),
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

/** Returns the match with the same members in these books. A decided match is preferred to a proposal. */
function sameGroup(books: WritableDb, lines: readonly Share[], match: Match): StoredGroup | null {
  const first = lines[0] ?? match.transactions[0];
  if (first === undefined || lines.some(({ id }) => id === ADDED_BY_IMPORT)) return null;
  const wanted = contentText([
    ...lines.map(({ id, allocated_in_cents }) => `line ${id} ${allocated_in_cents}`),
    ...match.transactions.map(({ id, allocated_in_cents }) => `payment ${id} ${allocated_in_cents}`),
    ...match.adjustments.map(({ category, amount_in_cents }) => `${category} ${amount_in_cents}`),
  ]);
  const same = groupsHolding(books, lines.length > 0 ? 'line' : 'transaction', first.id).flatMap((id) => {
    const group = groupById(books, id)!;
    // A match removed together with its lines or payments is no decision.
    const isRefused = group.refused === 1 || (match.status === 'declined' && group.changed_by !== null);
    const isForgotten = group.status === 'undone' && !isRefused;
    return isForgotten || contentText(itemTexts(books, id)) !== wanted ? [] : [group];
  });
  const rank = ({ status }: StoredGroup) =>
    status === match.status ? 0 : ['confirmed', 'declined', 'undone'].includes(status) ? 1 : 2;
  return same.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

const contentText = (texts: readonly string[]): string => texts.toSorted().join('\n');

const itemTexts = (books: WritableDb, id: number): string[] =>
  itemsOf(books, id).map(({ line_id, transaction_id, category, allocated_in_cents }) =>
    line_id !== null
      ? `line ${line_id} ${allocated_in_cents}`
      : transaction_id !== null
        ? `payment ${transaction_id} ${allocated_in_cents}`
        : `${category} ${allocated_in_cents}`,
  );

/** Returns a sentence about what another match claims, or null if everything is open. */
function takenOf(
  books: WritableDb,
  lines: readonly Share[],
  { lines: named, transactions }: Match,
  isComing: (id: number) => boolean,
): string | null {
  for (const [at, { id, allocated_in_cents }] of lines.entries()) {
    const standing = id === ADDED_BY_IMPORT ? null : lineStanding(books, id);
    if (standing !== null && !isAmountOpen(standing, allocated_in_cents))
      return `${capital(lineText(named[at]!.line))} is explained by another match here.`;
  }
  for (const { id, allocated_in_cents } of transactions) {
    const standing = paymentStanding(books, id);
    if (standing === null ? !isComing(id) : !isAmountOpen(standing, allocated_in_cents))
      return `Payment ${id} is explained by another match here.`;
  }
  return null;
}

function depositOf(books: WritableDb, payout: number | null): string | null {
  const group = payout === null ? null : groupOfPayout(books, payout);
  return group === null ? null : `Match ${group} is the deposit of its payout here.`;
}

const sizeOf = ({ lines, transactions }: Match): number => {
  const sum = (shares: readonly { allocated_in_cents: number }[]) =>
    Math.abs(shares.reduce((all, each) => all + each.allocated_in_cents, 0));
  return Math.max(sum(lines), sum(transactions));
};

const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** Compares each note. A note on a match is treated like the match. */
export function* compareNotes(
  ground: PackComparison,
  notes: readonly Note[],
  places: MatchIds,
): Generator<ComparedDecision> {
  const { books } = ground.open;
  for (const note of notes) {
    const { at: moment, user, text } = note;
    const told = comparedDecision('notes', { text, at: moment, user });
    const [on, id, reason] =
      'match' in note
        ? (['group', places.get(note.match) ?? null, 'Its match is not here as in the pack.'] as const)
        : 'line' in note
          ? ([
              'line',
              findLineId(ground, note.line),
              `${capital(lineText(note.line))} is not held here.`,
            ] as const)
          : ([
              'transaction',
              paymentStanding(books, note.transaction) !== null
                ? note.transaction
                : ground.coming.payments.has(note.transaction)
                  ? ADDED_BY_IMPORT
                  : null,
              `Payment ${note.transaction} is not held here.`,
            ] as const);
    const at = Date.parse(moment);
    if (id === null) yield told.notStored(reason);
    else if (id !== ADDED_BY_IMPORT && isNoted(books, on, id, { at, user, text })) yield told.same();
    else {
      yield told.missing((by) => {
        addNote(books, { [on]: id }, { at, user, text });
        const detail = { text, ...originalDecision(ground.period, at, user) };
        addAudit(books, { ...by, action: 'match.restore-note', subject: `${on} ${id}`, detail });
      });
    }
  }
}
