import { type FileBytes, headOf } from './bytes.ts';
import { readCamt } from './camt/read.ts';
import { Collector } from './collector.ts';
import { detect } from './detect.ts';
import type { BankFile, FileFormat, Findings, Question, ReadOptions } from './file.ts';
import { checkBalances, checkPayouts } from './finish.ts';
import { MAX_BYTES } from './limits.ts';
import { readMt940 } from './mt940/read.ts';
import { readOfx } from './ofx/read.ts';
import type { Profile } from './profile.ts';
import { readQif } from './qif/read.ts';
import { readCsv } from './table/file.ts';
import { readXlsx } from './table/xlsx.ts';

/** What a format's reader returns besides lines and problems. */
export interface FormatReading {
  readonly dialect: string;
  readonly profile?: Profile | null;
  readonly questions?: readonly Question[];
  readonly paidOn?: ReadonlyMap<string, string>;
}

/**
 * Reads a bank's or processor's file and passes on its contents. Never throws for its content. Amounts are minor units;
 * dates are those written in the file. The same bytes and options give the same result.
 */
export async function readBankFile(
  bytes: FileBytes,
  options: ReadOptions,
  findings: Findings,
): Promise<BankFile> {
  const file = new Collector(findings);
  const detected = detect(bytes);
  if ('refusal' in detected) {
    file.problem('refused', 'the file', detected.refusal, firstLine(bytes));
    return result(file, null, { dialect: '' });
  }
  const { format } = detected;
  if (bytes.size > MAX_BYTES) {
    const reason = `The file is larger than ${MAX_BYTES / 1_000_000} MB: ask for it in shorter periods.`;
    file.problem('refused', 'the file', reason);
    return result(file, format, { dialect: '' });
  }
  const reading = await readers[format](bytes, file, options);
  return result(file, format, reading);
}

const readers: {
  readonly [format in FileFormat]: (
    bytes: FileBytes,
    file: Collector,
    options: ReadOptions,
  ) => FormatReading | Promise<FormatReading>;
} = { csv: readCsv, xlsx: readXlsx, ofx: readOfx, camt: readCamt, mt940: readMt940, qif: readQif };

function result(file: Collector, format: FileFormat | null, reading: FormatReading): BankFile {
  const { dialect, profile = null, questions = [], paidOn = new Map() } = reading;
  checkBalances(file);
  const payouts = file.payouts.batches(paidOn);
  checkPayouts(file, payouts);
  if (!file.refused && format !== null && file.rows === 0) {
    file.problem('doubtful', 'the file', 'The file holds no lines.');
  }
  return {
    format,
    dialect,
    profile,
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

/** Returns the first line of an unsupported file, as far as it is text. */
const firstLine = (bytes: FileBytes): string =>
  new TextDecoder('windows-1252').decode(headOf(bytes, 200)).split(/[\r\n]/)[0] ?? '';
