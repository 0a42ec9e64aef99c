import { BillingError } from '../errors/billing-error.ts';
import { isJsonObject, type JsonObject } from '../formats/json-value.ts';
import type { Quantity } from '../records/record-types.ts';

const XML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
/** Matches characters that are not allowed in XML, even if escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const INVALID_XML_CHARACTER = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;

function escapeXmlText(text: string): string {
  if (INVALID_XML_CHARACTER.test(text)) {
    throw new BillingError('validation', 'The text contains a character that XML does not allow.', {
      hint: 'Remove the control characters, or change the site’s format to JSON.',
    });
  }
  return text.replace(/[&<>"\r]/g, (character) => XML_ESCAPES[character] as string);
}

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** Returns the XML body of a replay request (interface 4.2). */
export function toReplayRequestXml(ids: readonly number[]): string {
  const each = ids.map((id) => `<id type="integer">${id}</id>`).join('');
  return `${XML_DECLARATION}<ids type="array">${each}</ids>`;
}

/** Converts the JSON body of a new allocation to an XML body (interface 4.4). */
export function toAllocationRequestXml(body: JsonObject): string {
  const fields = isJsonObject(body['allocation']) ? body['allocation'] : {};
  const elements = Object.entries(fields).map(([field, value]) => {
    if (field !== 'quantity') return `<${field}>${escapeXmlText(String(value))}</${field}>`;
    const type = typeof (value as Quantity) === 'number' ? 'integer' : 'decimal';
    return `<quantity type="${type}">${value}</quantity>`;
  });
  return `${XML_DECLARATION}<allocation>${elements.join('')}</allocation>`;
}
