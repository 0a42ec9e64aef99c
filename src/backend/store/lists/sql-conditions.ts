import type { SqlValue, SqlValues } from '../sqlite/connection.ts';

/** SQL conditions of a list query with their parameter values. The SQL must be constant. */
export interface SqlConditions {
  where: string[];
  bound: SqlValues;
}

/** Returns an SQL condition with its values, or no condition if a value is undefined. */
export function whereIf(condition: string, ...values: (SqlValue | undefined)[]): SqlConditions {
  if (values.includes(undefined)) return { where: [], bound: [] };
  return { where: [condition], bound: values as SqlValues };
}

/** Returns an SQL condition that the column has one of the values, or no condition if `values` is undefined. */
export const whereIn = (column: string, values: readonly (string | number)[] | undefined): SqlConditions =>
  whereIf(`${column} IN (SELECT value FROM json_each(?))`, values && JSON.stringify(values));

/** Returns an SQL condition that the column has this value, or no condition if the value is undefined. */
export const whereEqual = (column: string, value: string | number | undefined): SqlConditions =>
  whereIf(`${column} = ?`, value);

/** Combines SQL conditions with AND. */
export const joinConditions = (...all: readonly SqlConditions[]): SqlConditions => ({
  where: all.flatMap(({ where }) => where),
  bound: all.flatMap(({ bound }) => bound),
});
