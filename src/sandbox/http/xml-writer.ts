import type { JsonRecord } from '../render/json-records.ts';

const DATETIME_FIELDS: ReadonlySet<string> = new Set(
  'created_at updated_at opened_at closed_at settled_at accepted_at last_sent_at last_error_at'.split(' '),
);
/** Names of integer fields that may be null. Their type attribute is written together with `nil`. */
const NULLABLE_INTEGER_FIELDS: ReadonlySet<string> = new Set(
  'payment_id product_id tax_id component_id account_transaction_id'.split(' '),
);
/** XML element names of array items, by the name of the array. */
const ITEM_NAMES: Record<string, string> = {
  transactions: 'transaction',
  future_payments: 'transaction',
  events: 'event',
};

/** Returns an XML document with one record as its root. */
export const createXmlDocument = (name: string, value: unknown): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, value, '', '')}`;

/** Returns an XML document whose root is an array of records. */
export const createXmlArray = (name: string, item: string, values: readonly unknown[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${array(name, item, values, '')}`;

function array(name: string, item: string, values: readonly unknown[], indent: string): string {
  if (values.length === 0) return `${indent}<${name} type="array"/>\n`;
  const inner = values.map((value) => element(item, value, `${indent}  `, '')).join('');
  return `${indent}<${name} type="array">\n${inner}${indent}</${name}>\n`;
}

function element(name: string, value: unknown, indent: string, parent: string): string {
  if (Array.isArray(value)) return array(name, ITEM_NAMES[name] ?? 'item', value.map(unwrap), indent);
  if (value !== null && typeof value === 'object') {
    const inner = Object.entries(value).map(([key, field]) => element(key, field, `${indent}  `, name));
    return `${indent}<${name}>\n${inner.join('')}${indent}</${name}>\n`;
  }
  const type = getTypeAttribute(name, value, parent);
  const attribute = type === '' ? '' : ` type="${type}"`;
  if (value === null) return `${indent}<${name}${attribute} nil="true"/>\n`;
  return `${indent}<${name}${attribute}>${escapeXml(String(value))}</${name}>\n`;
}

/** Removes the `event` wrapper of JSON items. In XML, the element name already contains it. */
function unwrap(item: unknown): unknown {
  const { event } = (item ?? {}) as JsonRecord;
  return event ?? item;
}

function getTypeAttribute(name: string, value: unknown, parent: string): string {
  if (parent === 'event' && (name === 'created_at' || name === 'subscription_id')) return '';
  if (typeof value === 'number' || (value === null && NULLABLE_INTEGER_FIELDS.has(name))) return 'integer';
  if (typeof value === 'boolean') return 'boolean';
  return DATETIME_FIELDS.has(name) ? 'datetime' : '';
}

/** Escapes text for XML 1.0. Characters that XML cannot represent become U+FFFD. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 does not allow
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\r]/g, (character) => CHARACTER_REFERENCES[character] as string);

const CHARACTER_REFERENCES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
