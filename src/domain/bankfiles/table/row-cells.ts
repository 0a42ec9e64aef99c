import type { BankProfileField } from '../model/profile.ts';
import type { ColumnLayout } from './column-layout.ts';
import type { TableRow } from './table-rows.ts';

/** A table row's cells by profile field. */
export interface RowCells {
  /** Returns the first non-empty cell among a field's columns; an empty text if there is none. */
  first(field: BankProfileField): string;
  all(field: BankProfileField): readonly string[];
  has(field: BankProfileField): boolean;
}

/** Thrown if a table cell cannot be read. */
export class UnreadableCellError extends Error {}

export function getRowCells({ columns }: ColumnLayout, row: TableRow): RowCells {
  const texts = (field: BankProfileField) =>
    (columns.get(field) ?? []).map((column) => row.cells[column]?.trim() ?? '');
  return {
    first: (field) => texts(field).find((text) => text !== '') ?? '',
    all: (field) => texts(field).filter((text) => text !== ''),
    has: (field) => texts(field).some((text) => text !== ''),
  };
}
