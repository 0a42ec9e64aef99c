import type { MatchAlternative, MatchGroup, MatchGroupDetail } from '../../contract/index.ts';
import { matchOriginLabel } from '../../domain/labels/matches.ts';
import { bankLines, notesOn } from '../store/bank/bank-line-list.ts';
import { historyOf, matchGroups, membersOf, near } from '../store/matching/match-group-list.ts';
import { payments } from '../store/matching/match-payment-list.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { transactionsById } from '../store/statements/transaction-list.ts';

const MAX_ROWS = 1000;
const MAX_ALTERNATIVES = 10;

/** Returns a match with its rows, alternatives and history, or null if it does not exist. */
export function readMatchDetail(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  id: number,
): MatchGroupDetail | null {
  const [group] = matchGroups(books, [id], MAX_ROWS);
  if (group === undefined) return null;
  const members = membersOf(books, id, MAX_ROWS);
  const payment_rows = payments(books, members.transactions);
  const stored = transactionsById(
    cache,
    payment_rows.map((payment) => payment.id),
  );
  return {
    ...group,
    explanation: matchOriginLabel(group.rule).explanation,
    line_rows: bankLines(books, members.lines),
    payment_rows,
    transaction_rows: payment_rows.map((payment) => stored.get(payment.id) ?? null),
    nearest_alternatives: findNearestAlternatives(books, group, members),
    history: historyOf(books, id),
    note_texts: notesOn(books, 'group_id', id),
  };
}

/**
 * Returns the nearest lines and payments of the same amount for a match of one line. These are what its number of
 * alternatives counts.
 */
function findNearestAlternatives(
  books: ReadableDb,
  group: MatchGroup,
  members: { lines: number[]; transactions: number[] },
): MatchAlternative[] {
  const line = group.bank_lines[0];
  if (line === undefined || group.line_count !== 1 || group.transaction_count > 1 || group.alternatives === 0)
    return [];
  const target = { currency: group.currency, day: line.booked_on, amount_in_cents: line.amount_in_cents };
  const otherPayments = near(books, 'payments', target, MAX_ALTERNATIVES).filter(
    ({ id }) => !members.transactions.includes(id),
  );
  const otherLines = near(books, 'lines', target, MAX_ALTERNATIVES).filter(
    ({ id }) => !members.lines.includes(id),
  );
  return [
    ...otherPayments.map(({ id, dated_on, user }) => ({
      bank_lines: [line.id],
      transactions: [id],
      text: `Payment ${id}${user === null ? '' : ` of ${user}`} on ${dated_on} is of the same amount.`,
    })),
    ...otherLines.map(({ id, dated_on, user }) => ({
      bank_lines: [id],
      transactions: members.transactions,
      text: `Line ${id} (${user || 'no text'}) on ${dated_on} is of the same amount.`,
    })),
  ];
}
