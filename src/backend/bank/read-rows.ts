import type { ImportPlan } from '../../contract/index.ts';
import {
  type BankFile,
  type BankLine,
  type FileBytes,
  type ReadOptions,
  readBankFile,
} from '../../domain/bankfiles/index.ts';
import type { LineMore } from '../store/bank/bank-line.ts';
import { addPlannedLine, addRemark, addUnread, endFilling, openPlanStore } from '../store/bank/plan-store.ts';
import type { WritableDb } from '../store/database.ts';
import { currencyOf, lineKey } from './identity.ts';

/** A file that was read: what it says as a whole, and on disk its rows, to be closed. */
export interface ReadRows {
  readonly file: BankFile;
  readonly rows: WritableDb;
  /** About the file as a whole, and balances that do not foot. */
  readonly remarks: ImportPlan['remarks'];
  /** Why the file, or the rest of it, was not read. */
  readonly refusal: string | null;
}

/** Reads a file row by row to disk. */
export async function readRows(
  bytes: FileBytes,
  options: ReadOptions & { currency: string },
): Promise<ReadRows> {
  const rows = openPlanStore();
  const remarks: { place: string; text: string }[] = [];
  let refusal: string | null = null;
  try {
    const file = await readBankFile(bytes, options, {
      line: (line) =>
        addPlannedLine(rows, {
          ...line,
          ...lineKey(line, currencyOf(line, options.currency)),
          more: moreOf(line),
        }),
      problem({ effect, row, place, reason, raw }) {
        if (effect === 'refused') refusal ??= reason;
        if (row === null || effect === 'balance') remarks.push({ place, text: reason });
        if (row === null) return;
        if (effect === 'failed' || effect === 'skipped') {
          addUnread(rows, { row, verdict: effect, place, reason, raw });
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

function moreOf({ balance_in_cents, foreign, extra }: BankLine): string | null {
  const more: LineMore = {
    ...(balance_in_cents === null ? {} : { balance_in_cents }),
    ...(foreign === null ? {} : { foreign }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  return Object.keys(more).length === 0 ? null : JSON.stringify(more);
}
