import { linesOf } from '../mt940/fields.ts';

/** A list of a QIF file. */
export interface Section {
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
export function* partsOf(text: Iterable<string>): Generator<{ section: Section } | { record: QifRecord }> {
  let section: Section | null = null;
  let account: QifRecord | null = null;
  let open: { line: number; fields: [string, string][] } | null = null;
  let number = 0;
  for (const raw of linesOf(text)) {
    number++;
    const line = raw.trim();
    const begins = line.startsWith('!');
    if (open !== null && (begins || line === '^')) {
      if (section !== null && /^account/i.test(section.name)) account = open;
      yield { record: open };
      open = null;
    }
    if (begins) {
      const name = /^!(?:Type:)?(.*)$/i.exec(line)?.[1]?.trim() ?? '';
      if (/^(?:Option|Clear):/i.test(name)) continue;
      section = { name, line: number, account };
      yield { section };
    } else if (line !== '^' && line !== '') {
      if (section === null) {
        section = { name: 'Bank', line: number, account: null };
        yield { section };
      }
      open ??= { line: number, fields: [] };
      open.fields.push([line.slice(0, 1), line.slice(1).trim()]);
    }
  }
  if (open !== null) yield { record: open };
}

/** Normalizes `10/ 3' 6` and `10/03'2026` to `10/3/06` and `10/03/2026`. */
export function plainDate(text: string): string {
  const plain = text.replace(/\s+/g, '');
  const found = /^(\d{1,2})[/.-](\d{1,2})'(\d{1,4})$/.exec(plain);
  if (found === null) return text.includes("'") || /^\d+[/.-]/.test(plain) ? plain : text;
  const [, a = '', b = '', year = ''] = found;
  return `${a}/${b}/${year.length <= 2 ? `20${year.padStart(2, '0')}` : year}`;
}
