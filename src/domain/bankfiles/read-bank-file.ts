import { readCamt } from './camt/read-camt.ts';
import { detectFormat } from './detect-format.ts';
import type {
  BankFile,
  BankFileOptions,
  BankFileSink,
  FileFormat,
  FormatReadResult,
} from './model/bank-file.ts';
import { MAX_FILE_BYTES } from './model/limits.ts';
import { readMt940 } from './mt940/read-mt940.ts';
import { readOfx } from './ofx/read-ofx.ts';
import { readQif } from './qif/read-qif.ts';
import { checkPayoutTotals, checkStatedBalances } from './statements/balance-checks.ts';
import { LineCollector } from './statements/line-collector.ts';
import { readCsv } from './table/read-csv.ts';
import { readXlsx } from './table/read-xlsx.ts';
import { type BankFileBytes, readFirstBytes } from './text/file-bytes.ts';

/**
 * Reads a bank's or processor's file and passes on its lines and problems one by one to limit memory. Never throws
 * because of the content. The same bytes and options always give the same result.
 */
export async function readBankFile(
  bytes: BankFileBytes,
  options: BankFileOptions,
  findings: BankFileSink,
): Promise<BankFile> {
  const file = new LineCollector(findings);
  const detected = detectFormat(bytes);
  if ('refusal' in detected) {
    file.reportProblem('refused', 'the file', detected.refusal, { raw: readFirstLine(bytes) });
    return buildResult(file, null, { dialect: '' });
  }
  const { format } = detected;
  if (bytes.size > MAX_FILE_BYTES) {
    const reason = `The file is larger than ${MAX_FILE_BYTES / 1_000_000} MB. Export shorter periods from the bank.`;
    file.reportProblem('refused', 'the file', reason);
    return buildResult(file, format, { dialect: '' });
  }
  const fileContents = await readers[format](bytes, file, options);
  return buildResult(file, format, fileContents);
}

const readers: {
  readonly [format in FileFormat]: (
    bytes: BankFileBytes,
    file: LineCollector,
    options: BankFileOptions,
  ) => FormatReadResult | Promise<FormatReadResult>;
} = { csv: readCsv, xlsx: readXlsx, ofx: readOfx, camt: readCamt, mt940: readMt940, qif: readQif };

function buildResult(file: LineCollector, format: FileFormat | null, contents: FormatReadResult): BankFile {
  const { dialect, profile = null, questions = [], columns = [], paidOn = new Map() } = contents;
  checkStatedBalances(file);
  const payouts = file.payouts.listPayouts(paidOn);
  checkPayoutTotals(file, payouts);
  if (!file.refused && format !== null && file.rows === 0)
    file.reportProblem('doubtful', 'the file', 'The file contains no lines.');
  return {
    format,
    dialect,
    profile,
    columns,
    statements: file.statements.map((statement, at) => {
      const { lines, sum, currencies } = file.tallies[at]!;
      return { ...statement, lines, lines_in_cents: sum, currencies: [...currencies] };
    }),
    payouts,
    questions,
    rows: file.rows,
    lines: file.lines,
  };
}

/** Returns the readable text of an unsupported file's first line. */
const readFirstLine = (bytes: BankFileBytes): string =>
  new TextDecoder('windows-1252').decode(readFirstBytes(bytes, 200)).split(/[\r\n]/)[0] ?? '';
