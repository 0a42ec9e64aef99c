import type { Collector } from '../collector.ts';
import { decode, encodingName } from '../encoding.ts';
import type { ReadOptions } from '../file.ts';
import type { FormatReading } from '../read.ts';
import { csvRows, delimiterOf, separatorLine } from './csv.ts';
import { profileAsked, readTable } from './read.ts';

const names = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' };

/** Reads a CSV file. */
export function readCsv(bytes: Uint8Array, file: Collector, options: ReadOptions): FormatReading {
  const asked = profileAsked(options);
  const { text, encoding } = decode(bytes, asked?.encoding);
  const line = separatorLine(text);
  const body = line.next === 0 ? text : text.slice(line.next);
  const delimiter = line.delimiter ?? asked?.delimiter ?? delimiterOf(body);
  const { rows, stoppedAt } = csvRows(body, delimiter, undefined, line.next === 0 ? 1 : 2);
  const reading = readTable({ rows, delimiter, encoding }, file, options);
  if (stoppedAt !== null) {
    file.problem('refused', stoppedAt, 'The file has more lines than are read; the rest was left out.');
  }
  if (text.includes('\ufffd')) {
    const at = text.slice(0, text.indexOf('\ufffd')).split('\n').length;
    file.problem(
      'doubtful',
      `line ${at}`,
      `Some letters are none of ${encodingName(encoding)}; they are shown as �.`,
    );
  }
  return { ...reading, dialect: `CSV, ${names[delimiter]}, ${encodingName(encoding)}` };
}
