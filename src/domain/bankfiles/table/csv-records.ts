import { MAX_CSV_RECORD_CHARACTERS, MAX_CSV_RECORD_LINES, MAX_TABLE_COLUMNS } from '../model/limits.ts';
import { type CsvDelimiter, csvDelimiters } from '../model/profile.ts';
import { SlidingTextWindow } from '../text/text-window.ts';
import type { TableRow } from './table-rows.ts';

const QUOTE = 34;
const RETURN = 13;
const FEED = 10;
const SAMPLE_RECORDS = 60;

/** Number of characters inspected for a record with quotes: the limit, plus one, plus one for a CRLF. */
const RECORD_LOOKAHEAD = MAX_CSV_RECORD_CHARACTERS + 2;

/**
 * Yields the non-blank records of a CSV text with their line number and source text. Quotes follow RFC 4180. An
 * unclosed quote affects only its own line; text after a closing quote is preserved and reported. Time is linear in
 * the text, because a record with quotes has at most a hundred lines.
 */
export function* readCsvRecords(
  text: Iterable<string>,
  delimiter: CsvDelimiter,
  start = 0,
  firstLine = 1,
): Generator<TableRow> {
  const window = new SlidingTextWindow(text);
  let line = firstLine;
  let at = window.ensure(0, start) + start;
  for (;;) {
    at = window.ensure(at, RECORD_LOOKAHEAD);
    if (at >= window.text.length) return;
    let record = readRecord(window.text, at, delimiter);
    while (record.next >= window.text.length && !window.reachedEnd) {
      at = window.extend(at);
      record = readRecord(window.text, at, delimiter);
    }
    const raw = window.text.slice(at, record.end);
    if (raw.trim() !== '') yield toTableRow(record, `line ${line}`, raw);
    line += record.lines;
    at = record.next;
  }
}

interface CsvRecord {
  readonly cells: string[];
  readonly end: number;
  readonly next: number;
  readonly lines: number;
  readonly flaw: 'unclosed-quote' | 'text-after-quote' | null;
}

function toTableRow(record: CsvRecord, location: string, raw: string): TableRow {
  const flaw = describeFlaw(record);
  const cells = record.cells.length > MAX_TABLE_COLUMNS ? [] : record.cells;
  return flaw === null ? { location, cells, raw } : { location, cells, raw, flaw };
}

function describeFlaw({ cells, flaw }: CsvRecord): NonNullable<TableRow['flaw']> | null {
  if (cells.length > MAX_TABLE_COLUMNS) {
    const reason = `The line has ${cells.length} fields. The maximum is ${MAX_TABLE_COLUMNS}.`;
    return { effect: 'failed', reason };
  }
  if (flaw === 'unclosed-quote') return { effect: 'failed', reason: 'A quote on this line is not closed.' };
  if (flaw === null) return null;
  return { effect: 'doubtful', reason: 'Text follows a closing quote. It was read as part of the field.' };
}

function readRecord(text: string, start: number, delimiter: CsvDelimiter): CsvRecord {
  const delimiterCode = delimiter.charCodeAt(0);
  const cells: string[] = [];
  let flaw: CsvRecord['flaw'] = null;
  let lines = 1;
  let at = start;
  for (;;) {
    const field = readField(text, at, { start, lines, delimiterCode });
    // If text follows a closing quote in a field of several lines, the first quote was probably plain text.
    if (field === null || (field.hasTextAfterQuote && field.lines > 1))
      return readUnquotedLine(text, start, delimiter);
    if (field.hasTextAfterQuote) flaw = 'text-after-quote';
    cells.push(field.cell);
    lines = field.lines;
    const end = field.end;
    if (end >= text.length || text.charCodeAt(end) !== delimiterCode)
      return { cells, end, next: findNextLine(text, end), lines, flaw };
    at = end + 1;
  }
}

interface CsvField {
  readonly cell: string;
  /** Position of the delimiter or line end that follows the field. */
  readonly end: number;
  /** Number of lines from the start of the record to the end of the field. */
  readonly lines: number;
  readonly hasTextAfterQuote: boolean;
}

/** Reads a CSV field. Returns null if its quote is not closed within the limits. */
function readField(
  text: string,
  from: number,
  record: { start: number; lines: number; delimiterCode: number },
): CsvField | null {
  const isQuoted = text.charCodeAt(from) === QUOTE;
  const quoted = isQuoted ? readQuoted(text, from, record.start, record.lines) : null;
  if (isQuoted && quoted === null) return null;
  const plainFrom = quoted?.next ?? from;
  let end = plainFrom;
  for (let code = text.charCodeAt(end); end < text.length; code = text.charCodeAt(++end))
    if (code === record.delimiterCode || code === FEED || code === RETURN) break;
  const plain = text.slice(plainFrom, end);
  const lines = quoted?.lines ?? record.lines;
  if (quoted === null || quoted.cell === '') return { cell: plain, end, lines, hasTextAfterQuote: false };
  return { cell: quoted.cell + plain.trimEnd(), end, lines, hasTextAfterQuote: plain.trim() !== '' };
}

const findNextLine = (text: string, end: number): number =>
  text.charCodeAt(end) === RETURN && text.charCodeAt(end + 1) === FEED ? end + 2 : end + 1;

/** Reads a quoted CSV field from its opening quote. Returns null if the quote is not closed within the limits. */
function readQuoted(text: string, open: number, start: number, linesBefore: number) {
  const last = Math.min(text.length, start + MAX_CSV_RECORD_CHARACTERS);
  let lines = linesBefore;
  let cell = '';
  let from = open + 1;
  for (let at = from; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === FEED || (code === RETURN && text.charCodeAt(at + 1) !== FEED)) {
      if (++lines > MAX_CSV_RECORD_LINES) return null;
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

function readUnquotedLine(text: string, start: number, delimiter: CsvDelimiter): CsvRecord {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== FEED && text.charCodeAt(end) !== RETURN) end++;
  const cells = text.slice(start, end).split(delimiter);
  return { cells, end, next: findNextLine(text, end), lines: 1, flaw: 'unclosed-quote' };
}

/** Parses a `sep=;` line, which declares the delimiter, and returns the position of the text that follows. */
export function parseCsvSeparatorLine(text: string): { delimiter: CsvDelimiter | null; next: number } {
  const match = /^sep=(.)\r?\n/i.exec(text.slice(0, 16));
  const delimiter = csvDelimiters.find((each) => each === match?.[1]) ?? null;
  return { delimiter, next: match === null ? 0 : match[0].length };
}

/** Returns the delimiter with which most first records have the same number of fields, preferring more fields. */
export function detectCsvDelimiter(sample: string): CsvDelimiter {
  let best: { delimiter: CsvDelimiter; score: number } = { delimiter: ',', score: 0 };
  // Decimal commas are not delimiters. The comma remains the default if there is no other delimiter.
  const possible = csvDelimiters.filter((each) => each !== ',' || !hasOnlyDecimalCommas(sample));
  for (const delimiter of possible) {
    const widths = new Map<number, number>();
    let rows = 0;
    for (const { cells } of readCsvRecords([sample], delimiter)) {
      if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
      if (++rows === SAMPLE_RECORDS) break;
    }
    for (const [width, count] of widths) {
      const score = count * 1000 + Math.min(width, 900);
      if (score > best.score) best = { delimiter, score };
    }
  }
  return best.delimiter;
}

function hasOnlyDecimalCommas(sample: string): boolean {
  const unquoted = sample.replace(/"[^"\n]*"/g, '');
  return !unquoted.replace(/\d,\d{1,2}(?![\d.,])/g, '').includes(',');
}
