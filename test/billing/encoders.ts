import type { JsonObject, JsonValue } from '../../src/billing/formats/json-value.ts';
import type {
  Allocation,
  FuturePayment,
  Statement,
  StatementEvent,
  Transaction,
  Webhook,
} from '../../src/billing/index.ts';

/** An entity as the values of the service's JSON. */
export type Sent = JsonObject;

const flat = ({ extra, ...fields }: { extra: Readonly<Record<string, JsonValue>> }): Sent => ({
  ...(fields as JsonObject),
  ...extra,
});

export const webhookSent = (webhook: Webhook): Sent => flat(webhook);
export const allocationSent = (allocation: Allocation): Sent => flat(allocation);
export const transactionSent = (transaction: Transaction | FuturePayment): Sent => flat(transaction);
export const eventSent = (event: StatementEvent): Sent => flat(event);
export function statementSent(statement: Statement): Sent {
  return {
    ...flat(statement as unknown as { extra: Statement['extra'] }),
    transactions: statement.transactions.map(transactionSent),
    future_payments: statement.future_payments.map(transactionSent),
    events: statement.events.map(eventSent),
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

export function escapeXml(text: string): string {
  return text.replace(/[&<>\r]/g, (sign) => ESCAPES[sign] as string);
}

const SINGULAR: Readonly<Record<string, string>> = {
  webhooks: 'webhook',
  allocations: 'allocation',
  statements: 'statement',
  transactions: 'transaction',
  events: 'event',
  future_payments: 'future_payment',
};

const DATETIME = /(_at|^created_at)$/;

/** Encodes a value as XML like the service's framework: types, nil, arrays, decimals as text. */
export function element(name: string, value: JsonValue): string {
  if (value === null) return `<${name}${DATETIME.test(name) ? ' type="datetime"' : ''} nil="true"/>`;
  if (typeof value === 'number') {
    return `<${name} type="${Number.isInteger(value) ? 'integer' : 'float'}">${value}</${name}>`;
  }
  if (typeof value === 'boolean') return `<${name} type="boolean">${value}</${name}>`;
  if (typeof value === 'string') {
    const type = DATETIME.test(name) ? ' type="datetime"' : name === 'quantity' ? ' type="decimal"' : '';
    return `<${name}${type}>${escapeXml(value)}</${name}>`;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return `<${name} type="array"/>`;
    const item = Object.hasOwn(SINGULAR, name) ? (SINGULAR[name] as string) : name;
    return `<${name} type="array">${value.map((each) => element(item, each)).join('')}</${name}>`;
  }
  const fields = Object.entries(value).map(([field, inner]) => `\n  ${element(field, inner)}`);
  return `<${name}>${fields.join('')}\n</${name}>`;
}

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Encodes a list as XML, or as JSON with wrapped items. */
export function listXml(name: string, items: readonly Sent[]): string {
  return DECLARATION + element(name, [...items]);
}
export function listJson(name: string, items: readonly Sent[]): string {
  return JSON.stringify(items.map((item) => ({ [SINGULAR[name] as string]: item })));
}

/** Encodes one record in either format. In JSON, events of a statement are wrapped and transactions are not. */
export function recordXml(name: string, item: Sent): string {
  return DECLARATION + element(name, item);
}
export function recordJson(name: string, item: Sent): string {
  const events = item['events'];
  const sent = Array.isArray(events) ? { ...item, events: events.map((event) => ({ event })) } : item;
  return JSON.stringify({ [name]: sent });
}
