import type { JsonObject, JsonValue } from '../../src/billing/formats/json-value.ts';
import type {
  Allocation,
  FuturePayment,
  Statement,
  StatementEvent,
  Transaction,
  Webhook,
} from '../../src/billing/index.ts';

/** A record as the service sends it in JSON. */
export type SentRecord = JsonObject;

const mergeExtraFields = ({
  extra,
  ...fields
}: {
  extra: Readonly<Record<string, JsonValue>>;
}): SentRecord => ({
  ...(fields as JsonObject),
  ...extra,
});

export const encodeWebhook = (webhook: Webhook): SentRecord => mergeExtraFields(webhook);
export const encodeAllocation = (allocation: Allocation): SentRecord => mergeExtraFields(allocation);
export const encodeTransaction = (transaction: Transaction | FuturePayment): SentRecord =>
  mergeExtraFields(transaction);
export const encodeEvent = (event: StatementEvent): SentRecord => mergeExtraFields(event);
export function encodeStatement(statement: Statement): SentRecord {
  return {
    ...mergeExtraFields(statement as unknown as { extra: Statement['extra'] }),
    transactions: statement.transactions.map(encodeTransaction),
    future_payments: statement.future_payments.map(encodeTransaction),
    events: statement.events.map(encodeEvent),
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

export function escapeXml(text: string): string {
  return text.replace(/[&<>\r]/g, (sign) => ESCAPES[sign] as string);
}

const SINGULAR_NAMES: Readonly<Record<string, string>> = {
  webhooks: 'webhook',
  allocations: 'allocation',
  statements: 'statement',
  transactions: 'transaction',
  events: 'event',
  future_payments: 'future_payment',
};

const DATETIME = /(_at|^created_at)$/;

/** Encodes a value as XML like the service: with type attributes, nil, arrays, and decimals as text. */
export function encodeXmlElement(name: string, value: JsonValue): string {
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
    const item = Object.hasOwn(SINGULAR_NAMES, name) ? (SINGULAR_NAMES[name] as string) : name;
    return `<${name} type="array">${value.map((each) => encodeXmlElement(item, each)).join('')}</${name}>`;
  }
  const fields = Object.entries(value).map(([field, inner]) => `\n  ${encodeXmlElement(field, inner)}`);
  return `<${name}>${fields.join('')}\n</${name}>`;
}

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Encodes a list as XML, or as JSON with wrapped items. */
export function encodeListXml(name: string, items: readonly SentRecord[]): string {
  return DECLARATION + encodeXmlElement(name, [...items]);
}
export function encodeListJson(name: string, items: readonly SentRecord[]): string {
  return JSON.stringify(items.map((item) => ({ [SINGULAR_NAMES[name] as string]: item })));
}

/** Encodes one record in either format. In JSON, events of a statement are wrapped and transactions are not. */
export function encodeRecordXml(name: string, item: SentRecord): string {
  return DECLARATION + encodeXmlElement(name, item);
}
export function encodeRecordJson(name: string, item: SentRecord): string {
  const events = item['events'];
  const sent = Array.isArray(events) ? { ...item, events: events.map((event) => ({ event })) } : item;
  return JSON.stringify({ [name]: sent });
}
