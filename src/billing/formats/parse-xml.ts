import { SaxesParser } from 'saxes';
import { toExactNumber } from './decimal.ts';
import { type JsonObject, type JsonValue, MAX_NESTING_DEPTH, setOwnProperty } from './json-value.ts';
import { UnreadableResponseError } from './unreadable-response.ts';

const MAX_ELEMENTS = 1_000_000;
const MAX_ATTRIBUTES = 32;
/** Minimum length of an XML text, in characters, for which tokens are counted before parsing. */
const MIN_LENGTH_TO_COUNT_TOKENS = 1_000_000;
/** Maximum number of parser tokens: tags, references, line ends, section ends. Chosen by judgment. */
const MAX_TOKENS = 2_500_000;

/** An XML element whose end tag has not been read yet. */
interface OpenElement {
  name: string;
  type: string | undefined;
  nil: boolean;
  text: string;
  /** Child elements of an array element, in order; null for other elements. */
  items: JsonValue[] | null;
  /** Child elements by name; null for an array element. */
  fields: JsonObject | null;
  /** Names of child elements that occurred more than once. */
  repeated: Set<string> | null;
}

/**
 * Converts the service's XML to the value that the equivalent JSON would have: `{ root: value }`.
 *
 * `type="array"` becomes an array of the children. `integer`, `float` and `boolean` become values of these types, and
 * `nil="true"` becomes null. With any other type or none, the text stays unchanged. An element with children becomes an
 * object. Children with the same name become an array, and text between children is stored as `#text`. Other attributes
 * are ignored, because the service uses none.
 *
 * Rejects DOCTYPE (and therefore custom entities), nesting deeper than 64, more than 32 attributes, more than a million
 * elements or 2.5 million tags, references and line ends, and XML that is not well-formed.
 */
export function parseXml(text: string): JsonValue {
  if (text.length > MIN_LENGTH_TO_COUNT_TOKENS && hasTooManyTokens(text)) {
    throw new UnreadableResponseError('has too many tags, references or line breaks', false);
  }
  try {
    return parseElements(text);
  } catch (error) {
    if (error instanceof UnreadableResponseError) throw error;
    throw new UnreadableResponseError('is truncated or is not well-formed XML', true);
  }
}

function hasTooManyTokens(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    // Counts tabs, line feeds, carriage returns, `&`, `-`, `<`, `?` and `]`.
    switch (text.charCodeAt(at)) {
      case 9:
      case 10:
      case 13:
      case 38:
      case 45:
      case 60:
      case 63:
      case 93:
        if (++count > MAX_TOKENS) return true;
    }
  }
  return false;
}

function parseElements(text: string): JsonObject {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const root: JsonObject = {};
  const open: OpenElement[] = [];
  let elements = 0;
  let attributes = 0;

  // Registers at most six handlers. From the eighth handler on, V8 stores the parser as a dictionary, which is eight
  // times slower.
  parser.on('doctype', () => {
    throw new UnreadableResponseError('contains a DOCTYPE, which the billing service never sends', false);
  });
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES)
      throw new UnreadableResponseError('has an element with too many attributes', false);
  });
  parser.on('opentag', ({ name, attributes: { type, nil } }) => {
    attributes = 0;
    if (open.length >= MAX_NESTING_DEPTH)
      throw new UnreadableResponseError(`has more than ${MAX_NESTING_DEPTH} levels of nesting`, false);
    if (++elements > MAX_ELEMENTS)
      throw new UnreadableResponseError('has more than a million elements', false);
    const items = type === 'array' ? [] : null;
    open.push({ name, type, nil: nil === 'true', text: '', items, fields: null, repeated: null });
  });
  const addText = (more: string) => {
    const top = open.at(-1);
    if (top !== undefined) top.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = open.pop() as OpenElement;
    const value = toValue(closed);
    const parent = open.at(-1);
    if (parent === undefined) setOwnProperty(root, closed.name, value);
    else if (parent.items !== null) parent.items.push(value);
    else addField(parent, closed.name, value);
  });
  parser.write(text).close();
  return root;
}

function toValue({ type, nil, text, items, fields }: OpenElement): JsonValue {
  const hasStrayText = (items !== null || fields !== null) && text.trim() !== '';
  if (fields !== null) {
    if (hasStrayText) setOwnProperty(fields, '#text', text);
    return fields;
  }
  if (items !== null) {
    if (nil && items.length === 0 && !hasStrayText) return null;
    return hasStrayText ? [...items, text] : items;
  }
  return nil && text === '' ? null : toTypedValue(type, text);
}

function toTypedValue(type: string | undefined, text: string): JsonValue {
  if (type === 'boolean') return parseBoolean(text.trim()) ?? text;
  if (type === 'integer' || type === 'float') return text.trim() === '' ? null : toExactNumber(text.trim());
  return text;
}

function parseBoolean(text: string): boolean | null {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return null;
}

function addField(parent: OpenElement, name: string, value: JsonValue): void {
  parent.fields ??= {};
  const existing = Object.hasOwn(parent.fields, name) ? parent.fields[name] : undefined;
  if (existing === undefined) {
    setOwnProperty(parent.fields, name, value);
  } else if (parent.repeated?.has(name)) {
    (existing as JsonValue[]).push(value);
  } else {
    parent.repeated ??= new Set();
    parent.repeated.add(name);
    setOwnProperty(parent.fields, name, [existing, value]);
  }
}
