import { linesOf } from '../mt940/fields.ts';

/** A list of a QIF file. */
export interface Section {
  readonly name: string;
  readonly line: number;
  readonly records: QifRecord[];
  /** Account named above it. */
  readonly account: QifRecord | null;
}

export interface QifRecord {
  readonly line: number;
  /** Letter and text of each field, in order. */
  readonly fields: readonly (readonly [string, string])[];
}

/** The lists of a QIF text with their records. A record without its closing `^` ends with the list. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let fields: [string, string][] = [];
  let begun = 0;
  let number = 0;
  let account: QifRecord | null = null;
  const end = () => {
    if (fields.length === 0) return;
    sections.at(-1)?.records.push({ line: begun, fields });
    fields = [];
  };
  for (const raw of linesOf(text)) {
    number++;
    const line = raw.trim();
    if (line.startsWith('!')) {
      end();
      const last = sections.at(-1);
      if (last !== undefined && /^account/i.test(last.name)) account = last.records.at(-1) ?? account;
      const name = /^!(?:Type:)?(.*)$/i.exec(line)?.[1]?.trim() ?? '';
      if (/^(?:Option|Clear):/i.test(name)) continue;
      sections.push({ name, line: number, records: [], account });
    } else if (line === '^') end();
    else if (line !== '') {
      if (fields.length === 0) begun = number;
      if (sections.length === 0) sections.push({ name: 'Bank', line: number, records: [], account: null });
      fields.push([line.slice(0, 1), line.slice(1).trim()]);
    }
  }
  end();
  return sections;
}

/** `10/ 3' 6` and `10/03'2026` as `10/3/06` and `10/03/2026`. */
export function plainDate(text: string): string {
  const plain = text.replace(/\s+/g, '');
  const found = /^(\d{1,2})[/.-](\d{1,2})'(\d{1,4})$/.exec(plain);
  if (found === null) return text.includes("'") || /^\d+[/.-]/.test(plain) ? plain : text;
  const [, a = '', b = '', year = ''] = found;
  return `${a}/${b}/${year.length <= 2 ? `20${year.padStart(2, '0')}` : year}`;
}
