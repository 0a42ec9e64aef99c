import type {
  ExceptionDetail,
  ExceptionEntry,
  ExceptionEvidence,
  ExceptionRef,
  StatementEvent,
  StatementRow,
  TransactionRow,
} from '../../../contract/index.ts';
import { findCheckRule } from '../../../domain/checks/index.ts';
import { formatMoney } from '../../../domain/ledger/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { allocationAt } from '../allocations/allocation-list.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { eventColumns, type StoredEvent, shownEvent } from '../statements/statement-detail.ts';
import { statementRows } from '../statements/statement-list.ts';
import {
  type StoredTransaction,
  shownTransaction,
  transactionColumns,
} from '../statements/transaction-list.ts';
import { webhookRows } from '../webhooks/webhook-list.ts';
import { exceptionRows, refsOf } from './exception-list.ts';

/** Returns a complete exception, or null if it does not exist. */
export function exceptionDetail(cache: ReadableDb, books: ReadableDb, id: number): ExceptionDetail | null {
  const [row] = exceptionRows(cache, books, [id]);
  const arithmetic = prepared<string>(books, 'SELECT arithmetic FROM exception WHERE id = ?').pluck().get(id);
  if (row === undefined || arithmetic === undefined) return null;
  const rule = findCheckRule(row.rule);
  return {
    ...row,
    explanation: rule?.explanation ?? '',
    remedy: rule?.remedy ?? null,
    arithmetic: JSON.parse(arithmetic) as ExceptionDetail['arithmetic'],
    rows: refsOf(books, id).map((ref) => evidenceOf(cache, ref)),
    history: historyOf(books, id),
  };
}

/** Returns the history of an exception, oldest first. */
function historyOf(books: ReadableDb, id: number): ExceptionEntry[] {
  return prepared<Omit<ExceptionEntry, 'at'> & { at: number }>(
    books,
    'SELECT seq, at, user, action, text, job FROM exception_entry WHERE exception_id = ? ORDER BY seq',
  )
    .all(id)
    .map((entry) => ({ ...entry, at: formatTimestamp(entry.at) }));
}

function evidenceOf(cache: ReadableDb, ref: ExceptionRef): ExceptionEvidence {
  switch (ref.kind) {
    case 'statement': {
      const [row = null] = statementRows(cache, [ref.id]);
      return { ...ref, text: said(`Statement ${ref.id}`, row ? statementWords(row) : []), row };
    }
    case 'transaction': {
      const row = transactionAt(cache, ref.statement_id, ref.id);
      const noun = capital(row?.transaction_type || 'transaction');
      return { ...ref, text: said(`${noun} ${ref.id}`, row ? transactionWords(row) : []), row };
    }
    case 'event': {
      const row = eventAt(cache, ref.statement_id, ref.id);
      return { ...ref, text: said(`Event ${ref.id}`, row ? [row.key, day(row.created_at)] : []), row };
    }
    case 'webhook': {
      const [row = null] = webhookRows(cache, [ref.id]);
      const words = row ? [row.event, day(row.created_at), row.delivery] : [];
      return { ...ref, text: said(`Webhook ${ref.id}`, words), row };
    }
    case 'allocation': {
      const { kind, component_id, ordinal, timestamp } = ref;
      const subscription_id = ref.subscription_id ?? 0;
      const row = allocationAt(cache, [subscription_id, component_id], [timestamp, ordinal]);
      const words = row ? [`${row.previous_quantity} to ${row.quantity}`, day(row.timestamp)] : [];
      const text = said(`Allocation of component ${component_id}`, words);
      return { kind, subscription_id, component_id, ordinal, text, row };
    }
  }
}

function statementWords({ state, opened_at, closed_at, ending_balance_in_cents }: StatementRow): string[] {
  if (state === 'open') return [`opened ${day(opened_at)}`];
  return [`closed ${day(closed_at)} at ${formatMoney(ending_balance_in_cents)}`];
}

function transactionWords({ amount_in_cents, created_at, success }: TransactionRow): string[] {
  return [formatMoney(amount_in_cents), day(created_at), ...(success === false ? ['failed'] : [])];
}

const day = (moment: string | null): string => moment?.slice(0, 10) ?? 'without a date';
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the description of a row. A row that is no longer stored has only its kind. */
function said(action: string, words: readonly string[]): string {
  return words.length === 0 ? `${action}, not held any more` : [action, ...words].join(', ');
}

function transactionAt(cache: ReadableDb, statement: number, id: number): TransactionRow | null {
  const row = prepared<StoredTransaction>(
    cache,
    `SELECT ${transactionColumns} FROM txn WHERE statement_id = ? AND txn.id = ? ORDER BY ordinal LIMIT 1`,
  ).get(statement, id);
  return row === undefined ? null : shownTransaction(row);
}

function eventAt(cache: ReadableDb, statement: number, id: number): StatementEvent | null {
  const row = prepared<StoredEvent>(
    cache,
    `SELECT ${eventColumns} FROM statement_event WHERE statement_id = ? AND id = ? ORDER BY ordinal LIMIT 1`,
  ).get(statement, id);
  return row === undefined ? null : shownEvent(row);
}
