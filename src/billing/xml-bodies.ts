import type { Quantity } from './entities.ts';
import { BillingError } from './errors.ts';
import { isObject, type JsonObject } from './value.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
/** What no XML text can hold, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be found
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;

function escaped(text: string): string {
  if (NOT_XML.test(text)) {
    throw new BillingError('validation', 'The text holds a character that XML cannot carry.', {
      hint: 'Remove control characters, or set the site to JSON.',
    });
  }
  return text.replace(/[&<>"\r]/g, (sign) => ESCAPES[sign] as string);
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** The body of a replay (interface 4.2). */
export function replayXml(ids: readonly number[]): string {
  const each = ids.map((id) => `<id type="integer">${id}</id>`).join('');
  return `${DECLARATION}<ids type="array">${each}</ids>`;
}

/** The body of a new allocation (interface 4.4), from what its JSON would be. */
export function allocationXml(body: JsonObject): string {
  const fields = isObject(body['allocation']) ? body['allocation'] : {};
  const elements = Object.entries(fields).map(([field, value]) => {
    if (field !== 'quantity') return `<${field}>${escaped(String(value))}</${field}>`;
    const type = typeof (value as Quantity) === 'number' ? 'integer' : 'decimal';
    return `<quantity type="${type}">${value}</quantity>`;
  });
  return `${DECLARATION}<allocation>${elements.join('')}</allocation>`;
}
