import type { BankFileOptions, FormatReadResult } from '../model/bank-file.ts';
import { MAX_TABLE_ROWS } from '../model/limits.ts';
import type { CsvDelimiter } from '../model/profile.ts';
import type { LineCollector } from '../statements/line-collector.ts';
import { type DecodedFileText, decodeText, getEncodingLabel } from '../text/encoding.ts';
import type { BankFileBytes } from '../text/file-bytes.ts';
import { detectCsvDelimiter, parseCsvSeparatorLine, readCsvRecords } from './csv-records.ts';
import { chooseLegacyEncoding } from './legacy-encoding.ts';
import { findRequestedProfile, readTable } from './read-table.ts';
import { createImportTable, type ImportTable } from './table-rows.ts';

const names = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' };
const SAMPLE_CHARACTERS = 200_000;

/** The table of a CSV file with the text that it is read from. */
export interface CsvTable {
  readonly table: ImportTable;
  readonly text: DecodedFileText;
  /** Delimiter and encoding for display. */
  readonly dialect: string;
}

/** Opens a CSV file as a table. The encoding and the delimiter are detected unless they are given. */
export function openCsvTable(
  bytes: BankFileBytes,
  requested: { readonly encoding?: string; readonly delimiter?: CsvDelimiter } | null = null,
): CsvTable {
  const decoded = decodeText(bytes, requested?.encoding);
  const isGuess = requested?.encoding === undefined && decoded.encoding === 'windows-1252';
  const text = isGuess ? chooseLegacyEncoding(bytes, decoded) : decoded;
  const { encoding } = text;
  const sample = text.head(SAMPLE_CHARACTERS);
  const line = parseCsvSeparatorLine(sample);
  const delimiter = line.delimiter ?? requested?.delimiter ?? detectCsvDelimiter(sample.slice(line.next));
  const rows = () => readCsvRecords(text.chunks(), delimiter, line.next, line.next === 0 ? 1 : 2);
  const table = createImportTable(rows, MAX_TABLE_ROWS, { delimiter, encoding });
  return { table, text, dialect: `CSV, ${names[delimiter]}, ${getEncodingLabel(encoding)}` };
}

/** Reads a CSV file. Whenever a setting depends on all rows, reads the file again from the start. */
export function readCsv(
  bytes: BankFileBytes,
  file: LineCollector,
  options: BankFileOptions,
): FormatReadResult {
  const { table, text, dialect } = openCsvTable(bytes, findRequestedProfile(options));
  const result = readTable(table, file, options);
  const { beyond } = table;
  if (beyond !== null)
    file.reportProblem('refused', beyond, 'The file has too many lines. The rest of the file was not read.');
  if (text.hasInvalidCharacters) {
    const location = `line ${findFirstInvalidLine(text)}`;
    const reason = `Some characters are invalid in ${getEncodingLabel(text.encoding)}. They are shown as \ufffd.`;
    file.reportProblem('doubtful', location, reason);
  }
  return { ...result, dialect };
}

/** Returns the number of the first line with a character that is invalid in the encoding. */
function findFirstInvalidLine(text: DecodedFileText): number {
  let lines = 1;
  for (const chunk of text.chunks()) {
    const at = chunk.indexOf('\ufffd');
    lines += chunk.slice(0, at < 0 ? chunk.length : at).split('\n').length - 1;
    if (at >= 0) break;
  }
  return lines;
}
