import { formatCsvRow } from '../../../domain/csv/csv-row.ts';
import type { EvidencePackCells } from '../../store/evidence-pack/pack-rows.ts';
import type { PeriodLists } from '../report-lists.ts';

const STATEMENT_FIELDS = [
  ...(['id', 'subscription_id', 'opened_at', 'closed_at', 'settled_at'] as const),
  ...(['customer_name', 'customer_organization', 'starting_balance_in_cents'] as const),
  ...(['ending_balance_in_cents', 'charges_in_cents', 'payments_in_cents'] as const),
];

function* listStatementCells({ statements }: Pick<PeriodLists, 'statements'>): Generator<EvidencePackCells> {
  yield [...STATEMENT_FIELDS];
  for (const statement of statements()) yield STATEMENT_FIELDS.map((field) => statement[field]);
}

/** Tables of the records of a period, by the name of their file. Their first row contains the column names. */
export const recordTables = {
  bank_lines: (lists: PeriodLists) => lists.bank_lines(),
  payments: (lists: PeriodLists) => lists.payments(),
  payouts: (lists: PeriodLists) => lists.payouts(),
  match_items: (lists: PeriodLists) => lists.match_items(),
  statements: listStatementCells,
  transactions: (lists: PeriodLists) => lists.transactions(),
} satisfies Record<string, (lists: PeriodLists) => Iterable<EvidencePackCells>>;
export type RecordTableName = keyof typeof recordTables;

/** Yields rows as CSV (RFC 4180), one row at a time. Null ends a step without a row. */
export function* formatRecordRows(rows: Iterable<EvidencePackCells | null>): Generator<string | null> {
  for (const cells of rows) yield cells && formatCsvRow(cells);
}
