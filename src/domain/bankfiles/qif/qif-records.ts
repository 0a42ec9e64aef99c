import { splitLines } from '../text/text-lines.ts';

/** A list of a QIF file. */
export interface QifSection {
  readonly name: string;
  readonly line: number;
  /** The account named above it. */
  readonly account: QifRecord | null;
}

export interface QifRecord {
  readonly line: number;
  /** Letter and text of each field, in order. */
  readonly fields: readonly (readonly [string, string])[];
}

/**
 * Yields the sections of a QIF text, each followed by its records. A record without its closing `^` ends with its list.
 */
export function* readQifParts(
  text: Iterable<string>,
): Generator<{ section: QifSection } | { record: QifRecord }> {
  let section: QifSection | null = null;
  let account: QifRecord | null = null;
  let open: { line: number; fields: [string, string][] } | null = null;
  let number = 0;
  for (const raw of splitLines(text)) {
    number++;
    const line = raw.trim();
    if (line === '') continue;
    const isHeader = line.startsWith('!');
    if (!isHeader && line !== '^') {
      if (section === null) yield { section: (section = { name: 'Bank', line: number, account: null }) };
      open ??= { line: number, fields: [] };
      open.fields.push([line.slice(0, 1), line.slice(1).trim()]);
      continue;
    }
    if (open !== null) {
      if (isAccountList(section)) account = open;
      yield { record: open };
      open = null;
    }
    const name = isHeader ? sectionName(line) : null;
    if (name === null) continue;
    section = { name, line: number, account };
    yield { section };
  }
  if (open !== null) yield { record: open };
}

const isAccountList = (section: QifSection | null): boolean =>
  section !== null && /^account/i.test(section.name);

/** Returns the name in a section header, or null for a header that starts no section. */
function sectionName(header: string): string | null {
  const name = /^!(?:Type:)?(.*)$/i.exec(header)?.[1]?.trim() ?? '';
  return /^(?:Option|Clear):/i.test(name) ? null : name;
}

/** Normalizes `10/ 3' 6` and `10/03'2026` to `10/3/06` and `10/03/2026`. */
export function normalizeQifDate(text: string): string {
  const plain = text.replace(/\s+/g, '');
  const found = /^(\d{1,2})[/.-](\d{1,2})'(\d{1,4})$/.exec(plain);
  if (found === null) return text.includes("'") || /^\d+[/.-]/.test(plain) ? plain : text;
  const [, a = '', b = '', year = ''] = found;
  return `${a}/${b}/${year.length <= 2 ? `20${year.padStart(2, '0')}` : year}`;
}
