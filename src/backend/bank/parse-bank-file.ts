import type { ImportPlan } from '../../contract/index.ts';
import {
  type BankFile,
  type BankFileOptions,
  type BankLine,
  type FileBytes,
  readBankFile,
} from '../../domain/bankfiles/index.ts';
import type { LineMore } from '../store/bank/bank-line.ts';
import { addPlannedLine, addRemark, addUnread, endFilling, openPlanStore } from '../store/bank/plan-store.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';
import { lineCurrency, toLineKey } from './line-key.ts';

/** Parsed bank file with its rows stored on disk. Must be closed. */
export interface ParsedBankFile {
  readonly file: BankFile;
  readonly rows: WritableDb;
  /** Remarks about the entire file and about balances that do not foot. */
  readonly remarks: ImportPlan['remarks'];
  /** Reason why the file, or the rest of it, was not read. Null if all of it was read. */
  readonly refusal: string | null;
}

/** Parses a bank file and stores its rows on disk, one by one. */
export async function parseBankFileToDisk(
  bytes: FileBytes,
  options: BankFileOptions & { currency: string },
): Promise<ParsedBankFile> {
  const rows = openPlanStore();
  const remarks: { location: string; text: string }[] = [];
  let refusal: string | null = null;
  try {
    const file = await readBankFile(bytes, options, {
      onLine: (line) =>
        addPlannedLine(rows, {
          ...line,
          ...toLineKey(line, lineCurrency(line, options.currency)),
          more: serializeExtraFields(line),
        }),
      onProblem({ effect, row, location, reason, raw }) {
        if (effect === 'refused') refusal ??= reason;
        if (row === null || effect === 'balance') remarks.push({ location: location, text: reason });
        if (row === null) return;
        if (effect === 'failed' || effect === 'skipped') {
          addUnread(rows, { row, verdict: effect, location: location, reason, raw });
        } else addRemark(rows, row, reason);
      },
    });
    endFilling(rows);
    return { file, rows, remarks, refusal };
  } catch (error) {
    rows.close();
    throw error;
  }
}

function serializeExtraFields({ balance_in_cents, foreign, extra }: BankLine): string | null {
  const more: LineMore = {
    ...(balance_in_cents === null ? {} : { balance_in_cents }),
    ...(foreign === null ? {} : { foreign }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  return Object.keys(more).length === 0 ? null : JSON.stringify(more);
}
