import { SaxesParser } from 'saxes';
import { exactNumber } from './decimal.ts';
import { Unreadable } from './unreadable.ts';
import { DEPTH_CAP, type JsonObject, type JsonValue, put } from './value.ts';

const ELEMENTS_CAP = 1_000_000;
const ATTRIBUTES_CAP = 32;
/** From this size on a text's costly signs are counted before it is parsed. */
const COUNT_FROM = 1_000_000;
/** Tags, references, line ends and signs that may end a section: the parser makes a piece of text of each. */
const PIECES_CAP = 2_500_000;

/** An element while it is open. */
interface Open {
  name: string;
  type: string | undefined;
  nil: boolean;
  text: string;
  /** The children of an array, in order. */
  items: JsonValue[] | null;
  /** The children of anything else, by name. */
  fields: JsonObject | null;
  /** The names that occurred more than once. */
  repeated: Set<string> | null;
}

/**
 * An XML text of the service as the values its JSON would have: `{ root: value }`.
 *
 * `type="array"` gives an array of its children, `integer`, `float` and `boolean` what they say, `nil="true"` null; every
 * other type (datetime, decimal, string) and none at all gives the text, exactly as it stands. An element with children is
 * an object; children of the same name become an array under that name; text between children is kept as `#text`.
 * Attributes besides `type` and `nil` mean nothing to the service and are left out.
 *
 * Refused: DOCTYPE (and with it every entity of one's own), nesting deeper than 64, more than 32 attributes, more than a
 * million elements, more than 2.5 million tags, references and line ends, and whatever is not well-formed.
 */
export function parseXml(text: string): JsonValue {
  if (text.length > COUNT_FROM && hasTooManyPieces(text)) {
    throw new Unreadable('is made of millions of pieces', false);
  }
  try {
    return read(text);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('is cut off or is not well-formed XML', true);
  }
}

function hasTooManyPieces(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 9: // tab
      case 10: // line feed
      case 13: // carriage return
      case 38: // &
      case 45: // -
      case 60: // <
      case 63: // ?
      case 93: // ]
        if (++count > PIECES_CAP) return true;
    }
  }
  return false;
}

function read(text: string): JsonObject {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const root: JsonObject = {};
  const open: Open[] = [];
  let elements = 0;
  let attributes = 0;

  // Six handlers, no more: from the eighth on V8 keeps the parser as a dictionary and it runs eight times slower.
  parser.on('doctype', () => {
    throw new Unreadable('holds a DOCTYPE, which the billing service never sends', false);
  });
  parser.on('attribute', () => {
    if (++attributes > ATTRIBUTES_CAP) throw new Unreadable('has an element with too many attributes', false);
  });
  parser.on('opentag', ({ name, attributes: { type, nil } }) => {
    attributes = 0;
    if (open.length >= DEPTH_CAP) throw new Unreadable(`is nested deeper than ${DEPTH_CAP}`, false);
    if (++elements > ELEMENTS_CAP) throw new Unreadable('has more than a million elements', false);
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
    const closed = open.pop() as Open;
    const value = meaning(closed);
    const parent = open.at(-1);
    if (parent === undefined) put(root, closed.name, value);
    else if (parent.items !== null) parent.items.push(value);
    else addField(parent, closed.name, value);
  });
  parser.write(text).close();
  return root;
}

function meaning({ type, nil, text, items, fields }: Open): JsonValue {
  const stray = (items !== null || fields !== null) && text.trim() !== '';
  if (fields !== null) {
    if (stray) put(fields, '#text', text);
    return fields;
  }
  if (items !== null) {
    if (nil && items.length === 0 && !stray) return null;
    return stray ? [...items, text] : items;
  }
  if (nil && text === '') return null;
  if (type === 'boolean') return booleanOf(text.trim()) ?? text;
  if (type === 'integer' || type === 'float') return text.trim() === '' ? null : exactNumber(text.trim());
  return text;
}

function booleanOf(text: string): boolean | null {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return null;
}

function addField(parent: Open, name: string, value: JsonValue): void {
  parent.fields ??= {};
  const former = Object.hasOwn(parent.fields, name) ? parent.fields[name] : undefined;
  if (former === undefined) {
    put(parent.fields, name, value);
  } else if (parent.repeated?.has(name)) {
    (former as JsonValue[]).push(value);
  } else {
    parent.repeated ??= new Set();
    parent.repeated.add(name);
    put(parent.fields, name, [former, value]);
  }
}
