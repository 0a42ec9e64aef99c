import { prepared, type ReadableDb } from '../database.ts';
import type { Stretch } from '../days.ts';
import type { MoneyTransaction } from '../matching/match-payment.ts';
import { numbered } from '../numbered.ts';
import { selectStatements } from '../statements/statement-selection.ts';
import { transactionType } from '../statements/transaction.ts';
import type { Days } from './posted-rows.ts';

/** A statement closed in the period, as S1 looks at it. */
export interface ClosedStatement {
  id: number;
  subscription_id: number;
  closed_at_text: string | null;
  starting_balance_in_cents: number;
  ending_balance_in_cents: number;
}

/** The instants of days, by the calendar statements are written in: as the list of statements has them. */
export function statementStretch(cache: ReadableDb, { first, last }: Days): Stretch {
  return selectStatements(cache, { since: first, until: last }).filed as Stretch;
}

/** Statements that the service lists and that closed in a stretch of time, subscription by subscription, in the order of their periods. */
export function closedStatements(
  cache: ReadableDb,
  { from, until }: Stretch,
): IterableIterator<ClosedStatement> {
  return prepared<ClosedStatement>(
    cache,
    `SELECT id, subscription_id, closed_at_text, starting_balance_in_cents, ending_balance_in_cents
     FROM statement WHERE state IN (1, 2) AND filed_at >= ? AND filed_at < ? AND vanished_at IS NULL
     ORDER BY subscription_id, max(closed_at, opened_at), opened_at, id`,
  ).iterate(from, until);
}

/** The transactions of statements by their ids, in the order sent: of many at once, which takes an eighth of the time it takes one by one. */
export function transactionsOf(
  cache: ReadableDb,
  statements: readonly number[],
): Map<number, MoneyTransaction[]> {
  const rows = prepared<MoneyTransaction>(
    cache,
    `SELECT id, statement_id, subscription_id, transaction_type, type, success, amount_in_cents, starting_balance_in_cents,
       ending_balance_in_cents, payment_id, gateway_transaction_id, memo, created_at, created_at_text,
       NULL AS customer_name, NULL AS organization
     FROM txn WHERE statement_id IN (SELECT value FROM json_each(?)) ORDER BY statement_id, ordinal`,
  ).all(JSON.stringify(statements));
  return Map.groupBy(rows, ({ statement_id }) => statement_id);
}

/** A transaction that may have moved money on the days, and whether its statement is one of `closedStatements`. */
export interface DatedTransaction extends MoneyTransaction {
  inside: number;
}

/** Transactions of types that `moves` says move money, made about a stretch of time, each once where it stands under two statements. */
export function* moneyAbout(
  cache: ReadableDb,
  moves: (type: string) => boolean,
  { from, until }: Stretch,
): Generator<DatedTransaction, void, undefined> {
  const classes = prepared<{ id: number; type: string }>(
    cache,
    'SELECT id, type FROM txn_class WHERE count > 0',
  )
    .all()
    .filter(({ type }) => moves(transactionType({ transaction_type: type, type: null })));
  let before = -1;
  for (const { id } of classes) {
    const rows = prepared<DatedTransaction>(
      cache,
      numbered(`SELECT txn.id, statement_id, txn.subscription_id, transaction_type, txn.type, success, amount_in_cents,
         txn.starting_balance_in_cents, txn.ending_balance_in_cents, payment_id, gateway_transaction_id, txn.memo,
         txn.created_at, txn.created_at_text, NULL AS customer_name, NULL AS organization,
         statement.state IN (1, 2) AND filed_at >= ?2 AND filed_at < ?3 AND vanished_at IS NULL AS inside
       FROM txn INDEXED BY txn_class_created JOIN statement ON statement.id = statement_id
       WHERE class_id = ?1 AND txn.created_at >= ?4 AND txn.created_at < ?5 ORDER BY txn.created_at, txn.id, txn.row`),
    ).iterate(id, from, until, from - DAY, until + DAY);
    for (const row of rows) {
      if (row.id === before) continue;
      before = row.id;
      yield row;
    }
  }
}

const DAY = 86_400_000;
