/** A record of a CSV file. `line` is the number of its first line, starting at 1; `raw` is its source text. */
export interface CsvRecord {
  readonly line: number;
  readonly raw: string;
  readonly cells: readonly string[];
  /** True if the record contains a quote that is never closed. */
  readonly hasUnclosedQuote: boolean;
}

const SEPARATORS = [',', ';', '\t'];

/** Returns the separator that occurs most often in the first line of a CSV text. */
function detectSeparator(text: string): string {
  const first = text.slice(0, 2000).split(/\r|\n/, 1)[0] as string;
  const count = (sign: string) => first.split(sign).length;
  return SEPARATORS.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** Yields the records of a CSV text (RFC 4180; separated by commas, semicolons or tabs). Skips empty lines. */
export function* parseCsvRecords(source: string): Generator<CsvRecord, void, undefined> {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  const separator = detectSeparator(text);
  let start = 0;
  let line = 1;
  while (start < text.length) {
    const { cells, end, hasUnclosedQuote } = parseRecord(text, start, separator);
    const raw = text.slice(start, end);
    if (raw.trim() !== '') yield { line, raw, cells, hasUnclosedQuote };
    start = end + (text.startsWith('\r\n', end) ? 2 : 1);
    line += raw.split(LINE_END).length;
  }
}

const LINE_END = /\r\n|\r|\n/;

/** Parses the CSV record that starts at `start`. The `end` of the result is the position of its line end. */
function parseRecord(text: string, start: number, separator: string) {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let wasQuoted = false;
  let at = start;
  for (; at < text.length; at++) {
    const character = text[at] as string;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[at++];
      else isQuoted = false;
    } else if (character === '"' && !wasQuoted && cell.trim() === '') {
      cell = '';
      isQuoted = true;
      wasQuoted = true;
    } else if (character === separator) {
      cells.push(cell);
      cell = '';
      wasQuoted = false;
    } else if (LINE_END.test(character)) break;
    else cell += character;
  }
  cells.push(cell);
  return { cells, end: at, hasUnclosedQuote: isQuoted };
}
