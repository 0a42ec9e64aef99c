import { matchReason, type PackDecisions } from '../../contract/index.ts';
import { keyOfMembers } from '../../domain/matching/index.ts';
import { contentOf, leaves } from '../matching/decisions.ts';
import { keyOf } from '../matching/ground.ts';
import { addAudit } from '../store/books/audit.ts';
import type { WritableDb } from '../store/database.ts';
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
import { groupOfPayout, groupsHolding, isNoted, payoutOf } from '../store/periods/pack-places.ts';
import {
  COMING,
  type Finding,
  finding,
  firstDecided,
  type Ground,
  lineText,
  placeOfLine,
} from './finding.ts';

type Match = PackDecisions['matches'][number];
type Note = PackDecisions['notes'][number];

/** A match’s number here by its place in the pack, `COMING`, or null where it is not as in the pack. */
export type Places = Map<number, number | null>;

/** Each match of the pack; `places` is filled as they are gone through, and applied. */
export function* matchFindings(
  ground: Ground,
  matches: readonly Match[],
  places: Places,
): Generator<Finding> {
  for (const [place, match] of matches.entries()) {
    places.set(place, null);
    yield matchFinding(ground, match, (id) => places.set(place, id));
  }
}

function matchFinding(ground: Ground, match: Match, placed: (id: number) => void): Finding {
  const { books } = ground.open;
  const told = finding('matches', {
    text: `${match.status} ${match.rule}, ${match.dated_on}`,
    amount_in_cents: sizeOf(match),
    currency: match.currency,
    at: match.changed_at,
    who: match.changed_by,
  });
  const lines: Share[] = [];
  for (const { line, allocated_in_cents } of match.lines) {
    const id = placeOfLine(ground, line);
    if (id === null) return told.notHeld(`${capital(lineText(line))} is not held here.`);
    lines.push({ id, allocated_in_cents });
  }
  const isComing = (id: number) => ground.coming.payments.has(id);
  const strange = match.transactions.find(({ id }) => paymentStanding(books, id) === null && !isComing(id));
  if (strange !== undefined) return told.notHeld(`Payment ${strange.id} is not held here.`);

  const held = sameGroup(books, lines, match);
  if (held?.status === match.status) {
    placed(held.id);
    return told.same();
  }
  const isProposal = held?.status === 'suggested' || held?.status === 'ambiguous';
  if (held !== null && !isProposal)
    return told.otherwise(`Here match ${held.id} of the same is ${held.status}.`);
  const payout = match.payout === null ? null : payoutOf(books, match.payout);
  if (match.status === 'confirmed') {
    const taken = takenOf(books, lines, match, isComing) ?? depositOf(books, payout);
    if (taken !== null) return told.otherwise(taken);
  }
  placed(COMING);
  return told.missing((by) => {
    const id = held?.id ?? put(books, match, lines, payout);
    const change = { at: Date.parse(match.changed_at), by: match.changed_by, why: match.why };
    setGroupStatus(books, id, match.status, change);
    if (match.changed_by !== null) {
      const what = match.key === null ? 'made' : match.status === 'declined' ? 'declined' : 'confirmed';
      addEntry(books, id, { at: change.at, who: match.changed_by, what, text: match.why });
    }
    const detail = {
      ...contentOf(books, groupById(books, id)!),
      ...firstDecided(ground.period, change.at, match.changed_by),
    };
    addAudit(books, { ...by, action: 'match.restore', subject: String(id), detail });
    placed(id);
  });
}

function put(books: WritableDb, match: Match, lines: Share[], payout: number | null): number {
  const { changed_by: by, made_at, reasons, user_rule, status, transactions, ...rest } = match;
  // Made of the numbers that lines have here, so that a run finds it again.
  const key = match.key === null ? null : keyOf({ key: keyOfMembers(lines, transactions) });
  const at = Date.parse(made_at);
  const rival = key === null ? null : groupOfKey(books, key);
  if (rival !== null) dropProposal(books, rival.id, { at, by, why: match.why });
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

/** The group here that holds the very same; what is decided comes before what is proposed. */
function sameGroup(books: WritableDb, lines: readonly Share[], match: Match): StoredGroup | null {
  const first = lines[0] ?? match.transactions[0];
  if (first === undefined || lines.some(({ id }) => id === COMING)) return null;
  const wanted = contentText([
    ...lines.map(({ id, allocated_in_cents }) => `line ${id} ${allocated_in_cents}`),
    ...match.transactions.map(({ id, allocated_in_cents }) => `payment ${id} ${allocated_in_cents}`),
    ...match.adjustments.map(({ category, amount_in_cents }) => `${category} ${amount_in_cents}`),
  ]);
  const same = groupsHolding(books, lines.length > 0 ? 'line' : 'transaction', first.id).flatMap((id) => {
    const group = groupById(books, id)!;
    // What went with its lines or payments was no decision about the match.
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

/** What is claimed by another match here, in a sentence; null where all of it is open. */
function takenOf(
  books: WritableDb,
  lines: readonly Share[],
  { lines: named, transactions }: Match,
  isComing: (id: number) => boolean,
): string | null {
  for (const [at, { id, allocated_in_cents }] of lines.entries()) {
    const standing = id === COMING ? null : lineStanding(books, id);
    if (standing !== null && !leaves(standing, allocated_in_cents))
      return `${capital(lineText(named[at]!.line))} is explained by another match here.`;
  }
  for (const { id, allocated_in_cents } of transactions) {
    const standing = paymentStanding(books, id);
    if (standing === null ? !isComing(id) : !leaves(standing, allocated_in_cents))
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

/** Each note; one on a match follows what became of that. */
export function* noteFindings(ground: Ground, notes: readonly Note[], places: Places): Generator<Finding> {
  const { books } = ground.open;
  for (const note of notes) {
    const { at: moment, who, text } = note;
    const told = finding('notes', { text, at: moment, who });
    const [on, id, why] =
      'match' in note
        ? (['group', places.get(note.match) ?? null, 'Its match is not here as in the pack.'] as const)
        : 'line' in note
          ? ([
              'line',
              placeOfLine(ground, note.line),
              `${capital(lineText(note.line))} is not held here.`,
            ] as const)
          : ([
              'transaction',
              paymentStanding(books, note.transaction) !== null
                ? note.transaction
                : ground.coming.payments.has(note.transaction)
                  ? COMING
                  : null,
              `Payment ${note.transaction} is not held here.`,
            ] as const);
    const at = Date.parse(moment);
    if (id === null) yield told.notHeld(why);
    else if (id !== COMING && isNoted(books, on, id, { at, who, text })) yield told.same();
    else {
      yield told.missing((by) => {
        addNote(books, { [on]: id }, { at, who, text });
        const detail = { text, ...firstDecided(ground.period, at, who) };
        addAudit(books, { ...by, action: 'match.restore-note', subject: `${on} ${id}`, detail });
      });
    }
  }
}
