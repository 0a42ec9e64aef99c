import { createHash } from 'node:crypto';
import { formatCsvRow } from '../../../domain/csv/csv-row.ts';
import { addCents, type Cents } from '../../../domain/ledger/index.ts';
import { isLastRowOfStep, type WorkSteps } from '../../../domain/work-steps/work-steps.ts';
import type { EvidencePackCells } from '../../store/evidence-pack/pack-rows.ts';
import type { PeriodLists } from '../report-lists.ts';
import { type RecordTableName, recordTables } from './record-tables.ts';

/** Rows, control totals and digest of a table of records. */
export interface TableTotals {
  readonly sha256: string;
  readonly sums: ReadonlyMap<string, CurrencyTotals>;
}

/** Totals of a table's rows in one currency. */
interface CurrencyTotals {
  readonly rows: number;
  /** Number of rows without an amount. */
  readonly unknown: number;
  /** Total of the known amounts. */
  readonly cents: Cents;
}

/** Column that the control total of each table adds up. */
const AMOUNT_COLUMNS: Readonly<Record<RecordTableName, string>> = {
  bank_lines: 'amount_in_cents',
  payments: 'amount_in_cents',
  payouts: 'amount_in_cents',
  match_items: 'allocated_in_cents',
  statements: 'ending_balance_in_cents',
  transactions: 'amount_in_cents',
};

/** Computes the totals of all tables of a period in steps. `currency` is that of tables without a currency column. */
export function* sumRecordTables(
  lists: PeriodLists,
  currency: string,
): WorkSteps<Record<RecordTableName, TableTotals>> {
  const totals: Partial<Record<RecordTableName, TableTotals>> = {};
  for (const name of Object.keys(recordTables) as RecordTableName[])
    totals[name] = yield* sumTable(recordTables[name](lists), AMOUNT_COLUMNS[name], currency);
  return totals as Record<RecordTableName, TableTotals>;
}

function* sumTable(
  rows: Iterable<EvidencePackCells>,
  amountName: string,
  currency: string,
): WorkSteps<TableTotals> {
  const digest = createHash('sha256');
  const sums = new Map<string, CurrencyTotals>();
  let columns: EvidencePackCells | null = null;
  let at = 0;
  for (const cells of rows) {
    digest.update(formatCsvRow(cells));
    if (columns === null) columns = cells;
    else {
      const unit = String(cells[columns.indexOf('currency')] ?? currency);
      const amount = cells[columns.indexOf(amountName)] ?? null;
      const { rows: count, unknown, cents: sum } = sums.get(unit) ?? { rows: 0, unknown: 0, cents: 0 };
      sums.set(unit, {
        rows: count + 1,
        unknown: unknown + (amount === null ? 1 : 0),
        cents: addCents(sum, Number(amount ?? 0)),
      });
    }
    if (isLastRowOfStep(at++)) yield;
  }
  return { sha256: digest.digest('hex'), sums };
}
