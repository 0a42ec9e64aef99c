import { splitLines } from '../text/text-lines.ts';

/** A section of a QIF file: a list of records of one type. */
export interface QifSection {
  readonly name: string;
  readonly line: number;
  /** Account record that precedes the section; null if there is none. */
  readonly account: QifRecord | null;
}

export interface QifRecord {
  readonly line: number;
  /** Field code letter and text of each field of the QIF record, in order. */
  readonly fields: readonly (readonly [string, string])[];
}

/** Yields the sections of a QIF text, each followed by its records. */
export function* readQifSections(
  text: Iterable<string>,
): Generator<{ section: QifSection } | { record: QifRecord }> {
  const state: QifState = { section: null, account: null, record: null };
  let number = 0;
  for (const raw of splitLines(text)) {
    number++;
    const line = raw.trim();
    if (line === '') continue;
    if (line !== '^' && !line.startsWith('!')) {
      if (state.section === null) yield { section: beginSection(state, 'Bank', number) };
      state.record ??= { line: number, fields: [] };
      state.record.fields.push([line.slice(0, 1), line.slice(1).trim()]);
      continue;
    }
    if (state.record !== null) yield { record: endRecord(state, state.record) };
    const name = parseSectionName(line);
    if (name !== null) yield { section: beginSection(state, name, number) };
  }
  if (state.record !== null) yield { record: state.record };
}

type OpenRecord = { readonly line: number; readonly fields: [string, string][] };

interface QifState {
  section: QifSection | null;
  account: QifRecord | null;
  record: OpenRecord | null;
}

function beginSection(state: QifState, name: string, line: number): QifSection {
  state.section = { name, line, account: state.section === null ? null : state.account };
  return state.section;
}

function endRecord(state: QifState, record: OpenRecord): QifRecord {
  if (isAccountList(state.section)) state.account = record;
  state.record = null;
  return record;
}

const isAccountList = (section: QifSection | null): boolean =>
  section !== null && /^account/i.test(section.name);

/** Returns the name in a QIF section header; null for another header or the end of a record. */
function parseSectionName(header: string): string | null {
  if (header === '^') return null;
  const name = /^!(?:Type:)?(.*)$/i.exec(header)?.[1]?.trim() ?? '';
  return /^(?:Option|Clear):/i.test(name) ? null : name;
}

/** Normalizes QIF dates, for example `10/ 3' 6` to `10/3/2006` and `10/03'2026` to `10/03/2026`. */
export function normalizeQifDate(text: string): string {
  const plain = text.replace(/\s+/g, '');
  const parts = /^(\d{1,2})[/.-](\d{1,2})'(\d{1,4})$/.exec(plain);
  if (parts === null) return text.includes("'") || /^\d+[/.-]/.test(plain) ? plain : text;
  const [, a = '', b = '', year = ''] = parts;
  return `${a}/${b}/${year.length <= 2 ? `20${year.padStart(2, '0')}` : year}`;
}
