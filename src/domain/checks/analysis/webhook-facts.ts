import type {
  WebhookBodyFacts,
  WebhookStatementFacts,
  WebhookTransactionFacts,
} from './subscription-record.ts';

/** A field of a decoded webhook body, for example `payload[statement][id]` or `payload.statement.id`. */
export type WebhookBodyField = { readonly key: string; readonly value: string };

type Fields = Map<string, string>;

const LISTED_TRANSACTION = /^(?:payload\.)?statement\.transactions\.(\d+)\.(.+)$/;

/**
 * Extracts the facts about a statement and its transactions from `payload[transaction]`, `payload[statement]` and the
 * transactions listed there. The interface does not specify the body, so any field may be absent.
 */
export function readWebhookFacts(fields: Iterable<WebhookBodyField>): WebhookBodyFacts {
  const top: Fields = new Map();
  const statement: Fields = new Map();
  const transaction: Fields = new Map();
  const listed = new Map<string, Fields>();
  for (const { key, value } of fields) {
    const path = toDottedPath(key);
    const [record, name, nested] = path.split('.');
    if (name === undefined) top.set(path, value);
    else if (nested !== undefined) addListedField(listed, path, value);
    else if (record === 'statement') statement.set(name, value);
    else if (record === 'transaction') transaction.set(name, value);
  }
  const transactions = [transaction, ...listed.values()].map(toTransactionFacts);
  const statementFacts = toStatementFacts(statement);
  return {
    statement_id:
      statementFacts?.id ??
      parseInteger(top.get('statement_id')) ??
      parseInteger(transaction.get('statement_id')),
    transaction_id: parseInteger(transaction.get('id')) ?? parseInteger(top.get('transaction_id')),
    statement: statementFacts,
    transactions: transactions.filter((each) => each !== null),
  };
}

function addListedField(listed: Map<string, Fields>, path: string, value: string): void {
  const match = LISTED_TRANSACTION.exec(path);
  if (match === null) return;
  const [, position, field] = match as unknown as [string, string, string];
  listed.set(position, (listed.get(position) ?? new Map<string, string>()).set(field, value));
}

function toDottedPath(key: string): string {
  const path = key.includes('[') ? key.replaceAll('][', '.').replace('[', '.').replace(/\]$/, '') : key;
  return path.startsWith('payload.') ? path.slice(8) : path;
}

function toStatementFacts(fields: Fields): WebhookStatementFacts | null {
  const id = parseInteger(fields.get('id'));
  if (id === null) return null;
  return {
    id,
    closed: (fields.get('closed_at') ?? '') !== '',
    starting_balance_in_cents: parseInteger(fields.get('starting_balance_in_cents')),
    ending_balance_in_cents: parseInteger(fields.get('ending_balance_in_cents')),
  };
}

function toTransactionFacts(fields: Fields): WebhookTransactionFacts | null {
  const id = parseInteger(fields.get('id'));
  if (id === null) return null;
  const success = fields.get('success');
  return {
    id,
    transaction_type: fields.get('transaction_type') || null,
    amount_in_cents: parseInteger(fields.get('amount_in_cents')),
    success: success === 'true' ? true : success === 'false' ? false : null,
  };
}

function parseInteger(text: string | undefined): number | null {
  const number = text !== undefined && /^-?\d{1,16}$/.test(text) ? Number(text) : null;
  return number !== null && Number.isSafeInteger(number) ? number : null;
}
