import { MAX_COLUMNS, MAX_RECORD_CHARACTERS, MAX_RECORD_LINES, MAX_ROWS } from '../limits.ts';
import { type Delimiter, delimiters, type Row } from './table.ts';

const QUOTE = 34;
const RETURN = 13;
const FEED = 10;
/** Records by which the delimiter is told. */
const SAMPLE = 60;

export interface CsvRows {
  readonly rows: Row[];
  /** Set where there are more rows than are read. */
  readonly stoppedAt: string | null;
}

/**
 * The records of a CSV text, blank ones left out, each with its line and its text. Quotes are those of RFC 4180; a quote that is
 * never closed spoils its own line and no other, and a text behind a closing quote is kept and told of. Time is linear in the text:
 * a record with quotes may take at most a hundred lines.
 */
export function csvRows(text: string, delimiter: Delimiter, most: number = MAX_ROWS, firstLine = 1): CsvRows {
  const rows: Row[] = [];
  const source = { text, delimiter, read: null };
  let line = firstLine;
  let at = 0;
  while (at < text.length) {
    if (rows.length >= most) return { rows, stoppedAt: `line ${line}` };
    const record = readRecord(text, at, delimiter);
    if (text.slice(at, record.end).trim() !== '') rows.push(new CsvRow(source, line, at, record));
    line += record.lines;
    at = record.next;
  }
  return { rows, stoppedAt: null };
}

interface CsvRecord {
  readonly cells: string[];
  /** Behind its last character, and where the next record begins. */
  readonly end: number;
  readonly next: number;
  readonly lines: number;
  readonly flaw: 'open' | 'behind' | null;
}

/** The text of the rows, and the row whose cells were asked for last. */
interface Source {
  readonly text: string;
  readonly delimiter: Delimiter;
  read: { readonly row: Row; readonly cells: readonly string[] } | null;
}

/** A record where it stands in the text. Its cells are read when they are asked for: those of all rows would be many times the file. */
class CsvRow implements Row {
  readonly flaw?: NonNullable<Row['flaw']>;
  readonly #source: Source;
  readonly #line: number;
  readonly #from: number;
  readonly #to: number;

  constructor(source: Source, line: number, from: number, record: CsvRecord) {
    this.#source = source;
    this.#line = line;
    this.#from = from;
    this.#to = record.end;
    const flaw = flawOf(record);
    if (flaw !== null) this.flaw = flaw;
  }

  get place(): string {
    return `line ${this.#line}`;
  }

  get raw(): string {
    return this.#source.text.slice(this.#from, this.#to);
  }

  get cells(): readonly string[] {
    const { text, delimiter, read } = this.#source;
    if (read?.row === this) return read.cells;
    const { cells } = readRecord(text, this.#from, delimiter);
    const kept = cells.length > MAX_COLUMNS ? [] : cells;
    this.#source.read = { row: this, cells: kept };
    return kept;
  }
}

function flawOf({ cells, flaw }: CsvRecord): NonNullable<Row['flaw']> | null {
  if (cells.length > MAX_COLUMNS) {
    const reason = `The line has ${cells.length} fields; more than ${MAX_COLUMNS} are not read.`;
    return { effect: 'failed', reason };
  }
  if (flaw === 'open') return { effect: 'failed', reason: 'A quote on this line is never closed.' };
  if (flaw === null) return null;
  return {
    effect: 'doubtful',
    reason: 'Text stands behind a closing quote; it was kept as part of the field.',
  };
}

function readRecord(text: string, start: number, delimiter: Delimiter): CsvRecord {
  const mark = delimiter.charCodeAt(0);
  const cells: string[] = [];
  let flaw: 'behind' | null = null;
  let lines = 1;
  let at = start;
  for (;;) {
    let cell = '';
    if (text.charCodeAt(at) === QUOTE) {
      const quoted = readQuoted(text, at, start, lines);
      if (quoted === null) return wholeLine(text, start, delimiter);
      cell = quoted.cell;
      at = quoted.next;
      lines = quoted.lines;
    }
    const from = at;
    let code = text.charCodeAt(at);
    while (at < text.length && code !== mark && code !== FEED && code !== RETURN)
      code = text.charCodeAt(++at);
    const rest = text.slice(from, at);
    if (cell !== '' && rest.trim() !== '') {
      // A quote that was closed by one of a later line was never meant to be open.
      if (lines > 1) return wholeLine(text, start, delimiter);
      flaw = 'behind';
    }
    cells.push(cell === '' ? rest : cell + rest.trimEnd());
    if (at >= text.length || code !== mark) {
      const next = code === RETURN && text.charCodeAt(at + 1) === FEED ? at + 2 : at + 1;
      return { cells, end: at, next, lines, flaw };
    }
    at++;
  }
}

/** A quoted field from its opening quote on; null where it is not closed within bounds. */
function readQuoted(
  text: string,
  open: number,
  start: number,
  linesBefore: number,
): { cell: string; next: number; lines: number } | null {
  const last = Math.min(text.length, start + MAX_RECORD_CHARACTERS);
  let lines = linesBefore;
  let cell = '';
  let from = open + 1;
  for (let at = from; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === FEED || (code === RETURN && text.charCodeAt(at + 1) !== FEED)) {
      if (++lines > MAX_RECORD_LINES) return null;
    }
    if (code !== QUOTE) continue;
    cell += text.slice(from, at);
    if (text.charCodeAt(at + 1) !== QUOTE) return { cell, next: at + 1, lines };
    cell += '"';
    at++;
    from = at + 1;
  }
  return null;
}

/** The line alone, with its quotes as they stand. */
function wholeLine(text: string, start: number, delimiter: Delimiter): CsvRecord {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== FEED && text.charCodeAt(end) !== RETURN) end++;
  const next = text.charCodeAt(end) === RETURN && text.charCodeAt(end + 1) === FEED ? end + 2 : end + 1;
  return { cells: text.slice(start, end).split(delimiter), end, next, lines: 1, flaw: 'open' };
}

/** The line `sep=;` by which spreadsheets are told the delimiter, and where the text behind it begins. */
export function separatorLine(text: string): { delimiter: Delimiter | null; next: number } {
  const found = /^sep=(.)\r?\n/i.exec(text.slice(0, 16));
  const delimiter = delimiters.find((one) => one === found?.[1]) ?? null;
  return { delimiter, next: found === null ? 0 : found[0].length };
}

/** The delimiter by which most records have the same number of fields; of equals, the one that makes more fields. */
export function delimiterOf(text: string): Delimiter {
  const sample = text.slice(0, 200_000);
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of delimiters) {
    const widths = new Map<number, number>();
    for (const { cells } of csvRows(sample, delimiter, SAMPLE).rows) {
      if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
    }
    for (const [width, count] of widths) {
      const score = count * 1000 + Math.min(width, 900);
      if (score > best.score) best = { delimiter, score };
    }
  }
  return best.delimiter;
}
