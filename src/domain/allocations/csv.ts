/** A record of a CSV file: its cells, the line it begins on (from 1), and how it stands there. */
export interface CsvRecord {
  readonly line: number;
  readonly raw: string;
  readonly cells: readonly string[];
  /** Set where a quote was opened and never closed. */
  readonly open: boolean;
}

const SEPARATORS = [',', ';', '\t'];

/** The sign between the cells: the one that the first line has most of. */
function separatorOf(text: string): string {
  const first = text.slice(0, 2000).split(/\r|\n/, 1)[0] as string;
  const count = (sign: string) => first.split(sign).length;
  return SEPARATORS.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** The records of a CSV text (RFC 4180; commas, semicolons or tabs), without empty lines. */
export function* csvRecords(given: string): Generator<CsvRecord, void, undefined> {
  const text = given.charCodeAt(0) === 0xfeff ? given.slice(1) : given;
  const separator = separatorOf(text);
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const [start, begins] = [at, line];
    const cells: string[] = [];
    let cell = '';
    let quoted = false;
    let touched = false;
    for (; at < text.length; at++) {
      const sign = text[at] as string;
      if (sign === '\n' || (sign === '\r' && text[at + 1] !== '\n')) line++;
      if (quoted) {
        if (sign !== '"') cell += sign;
        else if (text[at + 1] === '"') cell += text[at++];
        else quoted = false;
      } else if (sign === '"' && cell.trim() === '' && !touched) {
        cell = '';
        quoted = true;
        touched = true;
      } else if (sign === separator) {
        cells.push(cell);
        cell = '';
        touched = false;
      } else if (sign === '\n' || sign === '\r') break;
      else cell += sign;
    }
    cells.push(cell);
    const raw = text.slice(start, at);
    if (text[at] === '\r' && text[at + 1] === '\n') {
      at++;
      line++;
    }
    at++;
    if (raw.trim() !== '') yield { line: begins, raw, cells, open: quoted };
  }
}
