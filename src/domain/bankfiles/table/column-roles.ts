import type { ImportColumn } from '../model/bank-file.ts';
import type { ColumnLayout } from './column-layout.ts';

/** Returns the field that each column of a table is read as, in file order. */
export function listColumnRoles({ names, columns }: ColumnLayout): ImportColumn[] {
  const roles = new Map(
    [...columns].flatMap(([field, used]) => used.map((column) => [column, field] as const)),
  );
  return names.map((name, column) => ({ name, role: roles.get(column) ?? 'not_used' }));
}
