import type {
  ExceptionDetail,
  ExceptionEntry,
  ExceptionEvidence,
  ExceptionReference,
  StatementEvent,
  StatementRow,
  TransactionRow,
} from '../../../contract/index.ts';
import { findCheckRule } from '../../../domain/checks/index.ts';
import { formatMoney } from '../../../domain/ledger/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { findAllocation } from '../allocations/allocation-list.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { eventColumns, type StoredEvent, toStatementEvent } from '../statements/statement-detail.ts';
import { listStatementsById } from '../statements/statement-list.ts';
import {
  type StoredTransactionRow,
  toTransactionRow,
  transactionColumns,
} from '../statements/transaction-list.ts';
import { listWebhooksById } from '../webhooks/webhook-list.ts';
import { listExceptionRefs, listExceptionsById } from './exception-list.ts';

/** Returns an exception with its history and evidence, or null if it does not exist. */
export function getExceptionDetail(cache: ReadableDb, books: ReadableDb, id: number): ExceptionDetail | null {
  const [row] = listExceptionsById(cache, books, [id]);
  const arithmetic = prepareSql<string>(books, 'SELECT arithmetic FROM exception WHERE id = ?')
    .pluck()
    .get(id);
  if (row === undefined || arithmetic === undefined) return null;
  const rule = findCheckRule(row.rule);
  return {
    ...row,
    explanation: rule?.explanation ?? '',
    remedy: rule?.remedy ?? null,
    arithmetic: JSON.parse(arithmetic) as ExceptionDetail['arithmetic'],
    rows: listExceptionRefs(books, id).map((ref) => toEvidence(cache, ref)),
    history: readExceptionHistory(books, id),
  };
}

/** Returns the history of an exception, oldest first. */
function readExceptionHistory(books: ReadableDb, id: number): ExceptionEntry[] {
  const sql =
    'SELECT seq, at, user, action, text, job FROM exception_entry WHERE exception_id = ? ORDER BY seq';
  return select.rows<Omit<ExceptionEntry, 'at'> & { at: number }>(books, sql, id).map((entry) => ({
    ...entry,
    at: formatTimestamp(entry.at),
  }));
}

function toEvidence(cache: ReadableDb, ref: ExceptionReference): ExceptionEvidence {
  switch (ref.kind) {
    case 'statement': {
      const [row = null] = listStatementsById(cache, [ref.id]);
      return { ...ref, text: joinDescription(`Statement ${ref.id}`, row ? describeStatement(row) : []), row };
    }
    case 'transaction': {
      const row = findTransaction(cache, ref.statement_id, ref.id);
      const noun = capitalize(row?.transaction_type || 'transaction');
      return { ...ref, text: joinDescription(`${noun} ${ref.id}`, row ? describeTransaction(row) : []), row };
    }
    case 'event': {
      const row = findEvent(cache, ref.statement_id, ref.id);
      return {
        ...ref,
        text: joinDescription(`Event ${ref.id}`, row ? [row.key, toDay(row.created_at)] : []),
        row,
      };
    }
    case 'webhook': {
      const [row = null] = listWebhooksById(cache, [ref.id]);
      const words = row ? [row.event, toDay(row.created_at), row.delivery] : [];
      return { ...ref, text: joinDescription(`Webhook ${ref.id}`, words), row };
    }
    case 'allocation': {
      const { kind, component_id, ordinal, timestamp } = ref;
      const subscription_id = ref.subscription_id ?? 0;
      const row = findAllocation(cache, [subscription_id, component_id], [timestamp, ordinal]);
      const words = row ? [`${row.previous_quantity} to ${row.quantity}`, toDay(row.timestamp)] : [];
      const text = joinDescription(`Allocation of component ${component_id}`, words);
      return { kind, subscription_id, component_id, ordinal, text, row };
    }
  }
}

function describeStatement({ state, opened_at, closed_at, ending_balance_in_cents }: StatementRow): string[] {
  if (state === 'open') return [`opened ${toDay(opened_at)}`];
  return [`closed ${toDay(closed_at)} at ${formatMoney(ending_balance_in_cents)}`];
}

function describeTransaction({ amount_in_cents, created_at, success }: TransactionRow): string[] {
  return [formatMoney(amount_in_cents), toDay(created_at), ...(success === false ? ['failed'] : [])];
}

const toDay = (moment: string | null): string => moment?.slice(0, 10) ?? 'without a date';
const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Joins the parts of a record's description. Says so if the record is no longer stored. */
function joinDescription(action: string, words: readonly string[]): string {
  return words.length === 0 ? `${action}, no longer stored` : [action, ...words].join(', ');
}

function findTransaction(cache: ReadableDb, statement: number, id: number): TransactionRow | null {
  const sql = `SELECT ${transactionColumns} FROM txn WHERE statement_id = ? AND txn.id = ? ORDER BY ordinal LIMIT 1`;
  const row = prepareSql<StoredTransactionRow>(cache, sql).get(statement, id);
  return row === undefined ? null : toTransactionRow(row);
}

function findEvent(cache: ReadableDb, statement: number, id: number): StatementEvent | null {
  const sql = `SELECT ${eventColumns} FROM statement_event WHERE statement_id = ? AND id = ? ORDER BY ordinal LIMIT 1`;
  const row = prepareSql<StoredEvent>(cache, sql).get(statement, id);
  return row === undefined ? null : toStatementEvent(row);
}
