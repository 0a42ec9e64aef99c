import { type BankProfileField, profileAmountFields } from '../model/profile.ts';
import type { ColumnLayout } from './column-layout.ts';
import { isDash, type TableRow } from './table-rows.ts';

/** A table row's cells by profile field. */
export interface RowCells {
  /** Returns the first non-empty cell among a field's columns; an empty text if there is none. */
  first(field: BankProfileField): string;
  all(field: BankProfileField): readonly string[];
  has(field: BankProfileField): boolean;
}

/** Thrown if a table cell cannot be read. */
export class UnreadableCellError extends Error {}

/** Fields in which a dash means that there is no amount. */
const AMOUNT_FIELDS: ReadonlySet<BankProfileField> = new Set([
  ...profileAmountFields.filter((field) => field !== 'direction'),
  ...(['balance', 'foreign_amount'] as const),
]);

export function getRowCells({ columns }: ColumnLayout, row: TableRow): RowCells {
  const texts = (field: BankProfileField) =>
    (columns.get(field) ?? [])
      .map((column) => row.cells[column]?.trim() ?? '')
      .map((text) => (isDash(text) && AMOUNT_FIELDS.has(field) ? '' : text));
  return {
    first: (field) => texts(field).find((text) => text !== '') ?? '',
    all: (field) => texts(field).filter((text) => text !== ''),
    has: (field) => texts(field).some((text) => text !== ''),
  };
}
