/** What a statement's file is named after. Dates are calendar dates; null where the service told none. */
export interface NamedStatement {
  readonly id: number;
  readonly subscription_id: number;
  readonly opened: string | null;
  readonly closed: string | null;
  readonly settled: string | null;
  readonly customer: string;
  readonly organization: string | null;
}

/** A template that was read; `partsOf` gives a statement's folders and file name by it. */
export interface NameTemplate {
  /** As it is used: with `{id}` at its end, so that no two statements can share a name. */
  readonly text: string;
  /** The folders, and last the file name, each safe on every system. */
  partsOf(statement: NamedStatement): string[];
}

export const DEFAULT_TEMPLATE =
  '{closed:YYYY}/{closed:YYYY-MM}/{closed:YYYY-MM-DD}_{customer}_{subscription}_{id}';

const FIELDS = ['id', 'subscription', 'customer', 'organization', 'opened', 'closed', 'settled'] as const;
type Field = (typeof FIELDS)[number];
const DATES: readonly Field[] = ['opened', 'closed', 'settled'];
const FORMATS = ['YYYY', 'MM', 'DD', 'YYYY-MM', 'YYYY-MM-DD', 'YYYYMMDD'] as const;
const FIELD = /\{([^{}]*)\}/g;

/** A file name that ends with the id, parted from what stands before it: the digits at a name's end then tell the statement. */
const ID_LAST = /^(?:(.+)([ _.-]))?\{id\}$/;

/** No part of a name is longer in bytes: half of what the strictest of the common file systems allows. */
const MOST_BYTES = 120;
/** So deep may the folders of a template be. */
const MOST_PARTS = 8;

/**
 * Reads a name template, as `{closed:YYYY}/{customer}_{id}`: folders are parted by `/`, `.pdf` follows by itself.
 * Gives a sentence that says what is wrong with it otherwise.
 */
export function readTemplate(text: string): NameTemplate | string {
  const trimmed = text.trim().replace(/\.pdf$/i, '');
  const wrong = wrongWith(trimmed);
  if (wrong !== null) return wrong;
  const whole = ID_LAST.test(trimmed.slice(trimmed.lastIndexOf('/') + 1)) ? trimmed : `${trimmed}_{id}`;
  const parts = whole.split('/');
  const file = parts.pop() as string;
  return {
    text: whole,
    partsOf: (statement) => [
      ...parts.map((part) => safePart(fill(part, statement), 'undated')),
      fileName(file, statement),
    ],
  };
}

function wrongWith(text: string): string | null {
  if (text === '') return 'A name template cannot be empty. Try: {closed:YYYY-MM-DD}_{customer}_{id}';
  if (text.length > 400) return 'A name template has at most 400 characters.';
  const parts = text.split('/');
  if (parts.length > MOST_PARTS) return `A name template has at most ${MOST_PARTS - 1} folders.`;
  if (parts.some((part) => part.trim() === '' || /^\.+$/.test(part.trim())))
    return 'Each folder of a name template needs a name; it cannot begin or end with “/”, and “..” leads nowhere.';
  for (const [written, inner = ''] of text.matchAll(FIELD)) {
    const [name, ...format] = inner.split(':');
    const field = FIELDS.find((each) => each === name);
    if (field === undefined) return `There is no field ${written}. The fields are: ${named(FIELDS)}.`;
    if (format.length === 0) continue;
    if (!DATES.includes(field)) return `${written}: only a date has a format.`;
    if (!FORMATS.some((each) => each === format.join(':')))
      return `${written}: the formats of a date are ${FORMATS.join(', ')}.`;
  }
  return /[{}]/.test(text.replace(FIELD, ''))
    ? 'A field of a name template stands between “{” and “}”.'
    : null;
}

const named = (fields: readonly string[]) => fields.map((field) => `{${field}}`).join(', ');

/** The file's name: what is too long is cut before the id, which is always whole, and always last. */
function fileName(template: string, statement: NamedStatement): string {
  const [, before = '', separator = ''] = ID_LAST.exec(template) ?? [];
  const tail = `${separator}${statement.id}.pdf`;
  if (before === '') return `${statement.id}.pdf`;
  return safePart(fill(before, statement), 'statement', MOST_BYTES - tail.length) + tail;
}

function fill(part: string, statement: NamedStatement): string {
  return part.replace(FIELD, (_, inner: string) => {
    const [name, format = 'YYYY-MM-DD'] = inner.split(':');
    switch (name as Field) {
      case 'id':
        return String(statement.id);
      case 'subscription':
        return String(statement.subscription_id);
      case 'customer':
        return readable(statement.customer) || readable(statement.organization) || 'unnamed';
      case 'organization':
        return readable(statement.organization) || readable(statement.customer) || 'unnamed';
      case 'opened':
        return dateText(statement.opened, format);
      case 'closed':
        return dateText(statement.closed, format);
      case 'settled':
        return dateText(statement.settled, format);
    }
  });
}

/** Without an accent at its beginning, which would sit on what stands before the name. */
const readable = (name: string | null): string => safeText(name ?? '').replace(/^[ \p{M}]+| +$/gu, '');

function dateText(date: string | null, format: string): string {
  if (date === null) return 'undated';
  const [year = '', month = '', day = ''] = date.split('-');
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

/**
 * Spells folders that differ only in case alike, as the first one is: where case is not told apart they are one folder, and the bag
 * would not find its files under the names it lists.
 */
export function spelling(): (path: string) => string {
  const spelt = new Map<string, string>();
  return (path) => {
    const folders = path.split('/');
    const file = folders.pop() as string;
    let place = '';
    for (const folder of folders) {
      const whole = place + folder;
      // Both ways, so that ß and SS, ſ and s are one, as file systems have it.
      const key = whole.toUpperCase().toLowerCase();
      const first = spelt.get(key) ?? whole;
      spelt.set(key, first);
      place = `${first}/`;
    }
    return place + file;
  };
}

/** Names that Windows keeps for devices, whatever follows behind a dot. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(\.|$)/i;

/** One part of a path that is safe on every system, readable, and of at most `most` bytes. */
function safePart(text: string, otherwise: string, most = MOST_BYTES): string {
  const clean = safeText(text).replace(/^[\s.~\p{M}-]+/u, '');
  const free = RESERVED.test(clean) ? `_${clean}` : clean;
  const short = cut(free, most).replace(/[\s.]+$/, '');
  return short === '' || short === '_' ? otherwise : short;
}

/** So many accents on one letter are enough for any script; more of them cover the lines above and below. */
const PILED_UP = /(\p{M}{4})\p{M}+/gu;

/**
 * Composed (NFC); without control, format, private and unassigned characters, half surrogates and all that cannot be seen, as what
 * turns the direction of writing; with `-` for what a file system, a shell or a list of files could take for something else; one
 * space for any white space.
 */
function safeText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[<>:"/\\|?*%\u2044\u2215\u29F8\uFE68\uFF0F\uFF3C]/gu, '-')
    .replace(/[\s\u2800]/gu, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/ +/g, ' ')
    .replace(PILED_UP, '$1')
    .normalize('NFC');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const bytes = new TextEncoder();

/** The longest beginning of whole characters, as people see them, that fits. */
function cut(text: string, most: number): string {
  if (bytes.encode(text).length <= most) return text;
  let kept = '';
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += bytes.encode(segment).length;
    if (length > most) break;
    kept += segment;
  }
  return kept;
}
