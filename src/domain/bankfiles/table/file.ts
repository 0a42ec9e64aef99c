import type { FileBytes } from '../bytes.ts';
import type { Collector } from '../collector.ts';
import { encodingName, type FileText, textOf } from '../encoding.ts';
import type { ReadOptions } from '../file.ts';
import { MAX_ROWS } from '../limits.ts';
import type { FormatReading } from '../read.ts';
import { csvRows, delimiterOf, separatorLine } from './csv.ts';
import { profileAsked, readTable } from './read.ts';
import { tableOf } from './table.ts';

const names = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' };
/** Number of characters used to detect the delimiter. */
const SAMPLE = 200_000;

/** Reads a CSV file, from its start each time something must be known about all its rows first. */
export function readCsv(bytes: FileBytes, file: Collector, options: ReadOptions): FormatReading {
  const asked = profileAsked(options);
  const text = textOf(bytes, asked?.encoding);
  const { encoding } = text;
  const sample = text.head(SAMPLE);
  const line = separatorLine(sample);
  const delimiter = line.delimiter ?? asked?.delimiter ?? delimiterOf(sample.slice(line.next));
  const rows = () => csvRows(text.pieces(), delimiter, line.next, line.next === 0 ? 1 : 2);
  const table = tableOf(rows, MAX_ROWS, { delimiter, encoding });
  const reading = readTable(table, file, options);
  const { beyond } = table;
  if (beyond !== null) {
    file.problem('refused', beyond, 'The file has more lines than are read; the rest was left out.');
  }
  if (text.isSpoilt) {
    const place = `line ${spoiltLine(text)}`;
    const reason = `Some letters are none of ${encodingName(encoding)}; they are shown as \ufffd.`;
    file.problem('doubtful', place, reason);
  }
  return { ...reading, dialect: `CSV, ${names[delimiter]}, ${encodingName(encoding)}` };
}

/** Returns the number of the first line with an invalid character of its encoding. */
function spoiltLine(text: FileText): number {
  let lines = 1;
  for (const piece of text.pieces()) {
    const at = piece.indexOf('\ufffd');
    lines += piece.slice(0, at < 0 ? piece.length : at).split('\n').length - 1;
    if (at >= 0) break;
  }
  return lines;
}
