import type { Telling, ToldStatement, ToldTransaction } from './record.ts';

/** A field of a decoded webhook body; nested keys in brackets (`payload[statement][id]`) or dotted (`payload.statement.id`). */
export interface BodyField {
  readonly key: string;
  readonly value: string;
}

type Fields = Map<string, string>;

const LISTED = /^(?:payload\.)?statement\.transactions\.(\d+)\.(.+)$/;

/**
 * What a webhook’s body says of a statement and its transactions: of `payload[transaction]`, of `payload[statement]` and of the
 * transactions listed in it. The interface does not show the body, so whatever is not there is simply not told.
 */
export function tellingOf(fields: Iterable<BodyField>): Telling {
  const statement: Fields = new Map();
  const transaction: Fields = new Map();
  const listed = new Map<string, Fields>();
  let statement_id: number | null = null;
  let transaction_id: number | null = null;
  for (const { key, value } of fields) {
    const path = dotted(key);
    const [noun, name, deeper] = path.split('.');
    if (noun === 'statement' && name !== undefined && deeper === undefined) statement.set(name, value);
    else if (noun === 'transaction' && name !== undefined && deeper === undefined)
      transaction.set(name, value);
    else if (path === 'statement_id') statement_id = integer(value);
    else if (path === 'transaction_id') transaction_id = integer(value);
    const item = deeper === undefined ? null : LISTED.exec(path);
    if (item === null) continue;
    const [, place, field] = item as unknown as [string, string, string];
    const known = listed.get(place) ?? new Map<string, string>();
    listed.set(place, known.set(field, value));
  }
  const told = [transaction, ...listed.values()].map(toldTransaction).filter((each) => each !== null);
  const toldOf = toldStatement(statement);
  return {
    statement_id: toldOf?.id ?? statement_id ?? integer(transaction.get('statement_id')),
    transaction_id: integer(transaction.get('id')) ?? transaction_id,
    statement: toldOf,
    transactions: told,
  };
}

function dotted(key: string): string {
  const path = key.includes('[') ? key.replaceAll('][', '.').replace('[', '.').replace(/\]$/, '') : key;
  return path.startsWith('payload.') ? path.slice(8) : path;
}

function toldStatement(fields: Fields): ToldStatement | null {
  const id = integer(fields.get('id'));
  if (id === null) return null;
  return {
    id,
    closed: (fields.get('closed_at') ?? '') !== '',
    starting_balance_in_cents: integer(fields.get('starting_balance_in_cents')),
    ending_balance_in_cents: integer(fields.get('ending_balance_in_cents')),
  };
}

function toldTransaction(fields: Fields): ToldTransaction | null {
  const id = integer(fields.get('id'));
  if (id === null) return null;
  const success = fields.get('success');
  return {
    id,
    transaction_type: fields.get('transaction_type') || null,
    amount_in_cents: integer(fields.get('amount_in_cents')),
    success: success === 'true' ? true : success === 'false' ? false : null,
  };
}

function integer(text: string | undefined): number | null {
  const number = text !== undefined && /^-?\d{1,16}$/.test(text) ? Number(text) : null;
  return number !== null && Number.isSafeInteger(number) ? number : null;
}
