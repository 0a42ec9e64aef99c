import type {
  EventRecord,
  FuturePaymentRecord,
  StatementRecord,
  TransactionRecord,
} from '../../../domain/checks/index.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { extractDate } from '../lists/time-range.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';
import { addItemToGroup } from './add-to-group.ts';

type StatementValues = [
  subscription_id: number,
  id: number,
  opened_at: number,
  closed_at: number | null,
  settled_at: number | null,
  created_at: number | null,
  updated_at: number | null,
  starting: number,
  ending: number,
  future_payments: string,
  read_at: number,
  first_name: string | null,
  last_name: string | null,
  organization: string | null,
  address: string | null,
  zip: string | null,
  extra: string,
  text_view: string | null,
  pdf_text: string | null,
];

/** SQL for statements with the text of their PDFs. Only PDFs of the statement's current version are used. */
const statementQuery = `SELECT statement.subscription_id, statement.id, opened_at, closed_at, settled_at, created_at, updated_at,
    starting_balance_in_cents, ending_balance_in_cents, future_payments, read_at, customer_first_name, customer_last_name,
    customer_organization, customer_billing_address, customer_billing_zip, extra, text_view,
    (SELECT text FROM pdf JOIN pdf_text USING (sha256) WHERE pdf.statement_id = statement.id
       AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1) ORDER BY version DESC LIMIT 1)
  FROM json_each(?) AS wanted
  CROSS JOIN statement INDEXED BY statement_subscription ON statement.subscription_id = wanted.value
  LEFT JOIN statement_view ON statement_view.statement_id = statement.id
  WHERE vanished_at IS NULL`;

/** Returns the statements of subscriptions (a JSON list of ids) in the format of the checks, without vanished ones. */
export function readStatementRecords(
  db: ReadableDb,
  subscriptions: string,
  context: CheckRecordContext,
): Map<number, StatementRecord[]> {
  const rows = prepareSql<StatementValues>(db, statementQuery).raw().all(subscriptions);
  const ids = JSON.stringify(rows.map(([, id]) => id));
  const transactions = readTransactionRecords(db, ids);
  const events = readEventRecords(db, ids);
  const found = new Map<number, StatementRecord[]>();
  for (const row of rows) {
    const [subscription_id, id, opened_at, closed_at, settled_at, created_at, updated_at] = row;
    const [, , , , , , , starting, ending, future, read_at, first_name, last_name, organization] = row;
    const [, , , , , , , , , , , , , , address, zip, extraText, text_view, pdf_text] = row;
    const extra = parseExtra(extraText);
    addItemToGroup(found, subscription_id, {
      id,
      opened_at: opened_at === 0 ? null : opened_at,
      closed_at,
      settled_at,
      created_at,
      updated_at,
      starting_balance_in_cents: starting,
      ending_balance_in_cents: ending,
      total_in_cents: getInteger(extra, 'total_in_cents'),
      currency: getText(extra, 'currency'),
      customer: {
        name: joinTexts(first_name, last_name),
        organization: joinTexts(organization),
        address: joinTexts(address, zip),
      },
      transactions: transactions.get(id) ?? [],
      events: events.get(id) ?? [],
      future_payments: future === '[]' ? [] : (JSON.parse(future) as unknown[]).map(toFuturePayment),
      text_view,
      pdf_text: pdf_text === '' ? null : pdf_text,
      read_at: context.serviceTime(read_at),
    });
  }
  return found;
}

type TransactionValues = [
  statement_id: number,
  id: number,
  transaction_type: string | null,
  type: string | null,
  kind: string | null,
  amount: number,
  starting: number | null,
  ending: number | null,
  success: number | null,
  memo: string | null,
  created_at: number,
  created_at_text: string | null,
  subscription_id: number | null,
  payment_id: number | null,
  gateway: string | null,
  extra: string,
];

export const transactionRecordColumns = `txn.statement_id, txn.id, txn.transaction_type, txn.type, txn.kind, txn.amount_in_cents,
  txn.starting_balance_in_cents, txn.ending_balance_in_cents, txn.success, txn.memo, txn.created_at, txn.created_at_text,
  txn.subscription_id, txn.payment_id, txn.gateway_transaction_id, txn.extra`;

/** Returns transactions in the order in which the service sent them, which is the order of the index. */
function readTransactionRecords(db: ReadableDb, statements: string): Map<number, TransactionRecord[]> {
  const sql = `SELECT ${transactionRecordColumns} FROM json_each(?) AS wanted CROSS JOIN txn ON txn.statement_id = wanted.value`;
  const rows = prepareSql<TransactionValues>(db, sql).raw().all(statements);
  const found = new Map<number, TransactionRecord[]>();
  for (const row of rows) addItemToGroup(found, row[0], toTransactionRecord(row));
  return found;
}

export function toTransactionRecord(row: TransactionValues): TransactionRecord {
  const [, id, transaction_type, type, kind, amount_in_cents, starting, ending, success] = row;
  const [, , , , , , , , , memo, created_at, created_at_text, subscription_id, payment_id, gateway] = row;
  const extra = parseExtra(row.at(-1) as string);
  return {
    id,
    transaction_type,
    type,
    kind: kind === '' ? null : kind,
    amount_in_cents,
    starting_balance_in_cents: starting,
    ending_balance_in_cents: ending,
    success: success === null ? null : success === 1,
    memo,
    created_at: created_at === 0 ? null : created_at,
    created_on: created_at === 0 ? null : extractDate(created_at_text),
    subscription_id,
    customer_id: getInteger(extra, 'customer_id'),
    statement_id: getInteger(extra, 'statement_id'),
    currency: getText(extra, 'currency'),
    payment_id,
    gateway_transaction_id: gateway,
    component_id: getInteger(extra, 'component_id'),
  };
}

type EventValues = [
  statement_id: number,
  id: number,
  key: string,
  created_at: number | null,
  subscription_id: number | null,
  data: string,
];

function readEventRecords(db: ReadableDb, statements: string): Map<number, EventRecord[]> {
  const sql = `SELECT statement_id, statement_event.id, statement_event.key, created_at, subscription_id, event_specific_data
     FROM json_each(?) AS wanted CROSS JOIN statement_event ON statement_id = wanted.value`;
  const rows = prepareSql<EventValues>(db, sql).raw().all(statements);
  const found = new Map<number, EventRecord[]>();
  for (const [statement_id, id, key, created_at, subscription_id, data] of rows) {
    const specific: unknown = data === 'null' || data === '{}' ? null : JSON.parse(data);
    const state = getProperty(specific, 'new_subscription_state');
    addItemToGroup(found, statement_id, {
      id,
      subscription_id,
      key,
      created_at,
      transaction_id: getInteger(specific, 'account_transaction_id'),
      new_state: typeof state === 'string' ? state : null,
    });
  }
  return found;
}

function toFuturePayment(sent: unknown): FuturePaymentRecord {
  const created_at = getProperty(sent, 'created_at');
  return {
    id: getInteger(sent, 'id'),
    amount_in_cents: getInteger(sent, 'amount_in_cents'),
    created_at: typeof created_at === 'string' ? parseTimestamp(created_at) : null,
  };
}

/** Parses the stored fields that the interface does not specify. */
const parseExtra = (text: string): unknown => (text === '{}' ? null : JSON.parse(text));

/** Joins the non-empty texts with spaces. Returns null if all are empty. */
const joinTexts = (...texts: readonly (string | null)[]): string | null =>
  texts.filter((text) => text?.trim()).join(' ') || null;

function getText(value: unknown, name: string): string | null {
  const found = getProperty(value, name);
  return typeof found === 'string' && found !== '' ? found : null;
}

function getProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : null;
}

/** Reads an integer. Also accepts text, because both XML and JSON can contain numbers as text. */
function getInteger(value: unknown, name: string): number | null {
  const found = getProperty(value, name);
  const number = typeof found === 'string' && /^-?\d{1,16}$/.test(found) ? Number(found) : found;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** Context of the checks in addition to the cached records. */
export interface CheckRecordContext {
  /** Converts a read time by the local clock to the service's clock. */
  serviceTime(read_at: number): number;
  /** Returns true if every listed statement of the subscription is stored. */
  isComplete(subscription_id: number): boolean;
  /** True if the checks need the webhook bodies to verify signatures. */
  bodies: boolean;
}
