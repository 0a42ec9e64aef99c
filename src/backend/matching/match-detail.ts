import type { MatchAlternative, MatchGroup, MatchGroupDetail } from '../../contract/index.ts';
import { getMatchOriginLabel } from '../../domain/labels/matches.ts';
import { listBankLinesById } from '../store/bank/bank-line-list.ts';
import {
  findUnexplainedRowsByAmount,
  listMatchesById,
  listMatchMemberIds,
  readMatchHistory,
} from '../store/matching/match-list.ts';
import { listPaymentsById } from '../store/matching/match-payment-list.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { findTransactionsById } from '../store/statements/transaction-list.ts';

const MAX_MATCH_ROWS = 1000;
const MAX_ALTERNATIVES = 10;

/** Returns a match with its rows, alternatives and history, or null if it does not exist. */
export function readMatchDetail(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  id: number,
): MatchGroupDetail | null {
  const [group] = listMatchesById(books, [id], MAX_MATCH_ROWS);
  if (group === undefined) return null;
  const members = listMatchMemberIds(books, id, MAX_MATCH_ROWS);
  const payment_rows = listPaymentsById(books, members.transactions);
  const paymentIds = payment_rows.map((payment) => payment.id);
  const transactions = findTransactionsById(cache, paymentIds);
  return {
    ...group,
    explanation: getMatchOriginLabel(group.rule).explanation,
    line_rows: listBankLinesById(books, members.lines),
    payment_rows,
    transaction_rows: payment_rows.map((payment) => transactions.get(payment.id) ?? null),
    nearest_alternatives: findNearestAlternatives(books, group, members),
    history: readMatchHistory(books, id),
  };
}

/** Returns the nearest lines and payments with the amount of a one-line match, as counted by its alternatives. */
function findNearestAlternatives(
  books: ReadableDb,
  group: MatchGroup,
  members: { lines: number[]; transactions: number[] },
): MatchAlternative[] {
  const line = group.bank_lines[0];
  if (line === undefined || group.line_count !== 1 || group.transaction_count > 1 || group.alternatives === 0)
    return [];
  const target = { currency: group.currency, day: line.booked_on, amount_in_cents: line.amount_in_cents };
  const otherPayments = findUnexplainedRowsByAmount(books, 'payments', target, MAX_ALTERNATIVES).filter(
    ({ id }) => !members.transactions.includes(id),
  );
  const otherLines = findUnexplainedRowsByAmount(books, 'lines', target, MAX_ALTERNATIVES).filter(
    ({ id }) => !members.lines.includes(id),
  );
  return [
    ...otherPayments.map(({ id, dated_on, user }) => ({
      bank_lines: [line.id],
      transactions: [id],
      text: `Payment ${id}${user === null ? '' : ` of ${user}`} on ${dated_on} has the same amount.`,
    })),
    ...otherLines.map(({ id, dated_on, user }) => ({
      bank_lines: [id],
      transactions: members.transactions,
      text: `Line ${id} (${user || 'no text'}) on ${dated_on} has the same amount.`,
    })),
  ];
}
