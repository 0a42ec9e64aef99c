import type { ImportPlan } from '../../contract/index.ts';
import {
  type BankFile,
  type BankFileBytes,
  type BankFileOptions,
  type BankLine,
  readBankFile,
} from '../../domain/bankfiles/index.ts';
import type { BankLineExtra } from '../store/bank/bank-line.ts';
import {
  addBankLineRemark,
  addPlannedBankLine,
  addSkippedFileRow,
  finishImportPlanStore,
  openImportPlanStore,
} from '../store/bank/import-plan-store.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';
import { toBankLineKey } from './bank-line-key.ts';

/** Parsed bank file with its rows stored on disk. The caller must close it. */
export interface ParsedBankFile {
  readonly file: BankFile;
  readonly rows: WritableDb;
  /** Remarks about the entire file, and about balances that do not foot. */
  readonly remarks: ImportPlan['remarks'];
  /** Reason why the file, or the rest of the file, was not read. Null if the entire file was read. */
  readonly refusal: string | null;
}

/** Currency code (ISO 4217) of lines with an unknown currency. A plan with such lines is never applied. */
const UNKNOWN_CURRENCY = 'XXX';

/** Parses a bank file and stores its rows on disk, one by one. */
export async function parseBankFileToDisk(
  bytes: BankFileBytes,
  { currency, ...options }: Omit<BankFileOptions, 'currency'> & { currency: string | null },
): Promise<ParsedBankFile> {
  const rows = openImportPlanStore();
  const remarks: { location: string; text: string }[] = [];
  let refusal: string | null = null;
  try {
    const file = await readBankFile(bytes, currency === null ? options : { ...options, currency }, {
      onLine: (line) =>
        addPlannedBankLine(rows, {
          ...line,
          ...toBankLineKey(line, currency ?? UNKNOWN_CURRENCY),
          extra_fields: serializeExtraFields(line),
        }),
      onProblem({ effect, row, location, reason, raw }) {
        if (effect === 'refused') refusal ??= reason;
        if (row === null || effect === 'balance') remarks.push({ location, text: reason });
        if (row === null) return;
        if (effect === 'failed' || effect === 'skipped') {
          addSkippedFileRow(rows, { row, verdict: effect, location, reason, raw });
        } else addBankLineRemark(rows, row, reason);
      },
    });
    finishImportPlanStore(rows);
    return { file, rows, remarks, refusal };
  } catch (error) {
    rows.close();
    throw error;
  }
}

function serializeExtraFields({ balance_in_cents, foreign, extra }: BankLine): string | null {
  const more: BankLineExtra = {
    ...(balance_in_cents === null ? {} : { balance_in_cents }),
    ...(foreign === null ? {} : { foreign }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  return Object.keys(more).length === 0 ? null : JSON.stringify(more);
}
