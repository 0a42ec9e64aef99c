import type { MatchGroup, MatchGroupDetail, MatchRival } from '../../contract/index.ts';
import { bankLines, notesOn } from '../store/bank/bank-line-list.ts';
import type { ReadableDb } from '../store/database.ts';
import { historyOf, matchGroups, membersOf, near } from '../store/matching/match-group-list.ts';
import { payments } from '../store/matching/match-payment-list.ts';
import { transactionsById } from '../store/statements/transaction-list.ts';
import { wordsOf } from './passes.ts';

const MOST_ROWS = 1000;
const MOST_RIVALS = 10;

/** A match with its rows, its rivals and what happened to it; null where there is none. */
export function groupDetail(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  id: number,
): MatchGroupDetail | null {
  const [group] = matchGroups(books, [id], MOST_ROWS);
  if (group === undefined) return null;
  const members = membersOf(books, id, MOST_ROWS);
  const payment_rows = payments(books, members.transactions);
  const held = transactionsById(
    cache,
    payment_rows.map((payment) => payment.id),
  );
  return {
    ...group,
    explanation: wordsOf(group.rule).explanation,
    line_rows: bankLines(books, members.lines),
    payment_rows,
    transaction_rows: payment_rows.map((payment) => held.get(payment.id) ?? null),
    rivals_seen: rivalsOf(books, group, members),
    history: historyOf(books, id),
    noted: notesOn(books, 'group_id', id),
  };
}

/** What else is near and of the same amount, on either side, of a match of one line: what the rivals are counted of. */
function rivalsOf(
  books: ReadableDb,
  group: MatchGroup,
  members: { lines: number[]; transactions: number[] },
): MatchRival[] {
  const line = group.bank_lines[0];
  if (line === undefined || group.line_count !== 1 || group.transaction_count > 1 || group.rivals === 0)
    return [];
  const wanted = { currency: group.currency, day: line.booked_on, amount_in_cents: line.amount_in_cents };
  const others = near(books, 'payments', wanted, MOST_RIVALS).filter(
    ({ id }) => !members.transactions.includes(id),
  );
  const twins = near(books, 'lines', wanted, MOST_RIVALS).filter(({ id }) => !members.lines.includes(id));
  return [
    ...others.map(({ id, dated_on, who }) => ({
      bank_lines: [line.id],
      transactions: [id],
      text: `Payment ${id}${who === null ? '' : ` of ${who}`} on ${dated_on} is of the same amount.`,
    })),
    ...twins.map(({ id, dated_on, who }) => ({
      bank_lines: [id],
      transactions: members.transactions,
      text: `Line ${id} (${who || 'no text'}) on ${dated_on} is of the same amount.`,
    })),
  ];
}
