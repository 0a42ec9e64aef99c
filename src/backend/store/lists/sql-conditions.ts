import type { SqlValue, SqlValues } from '../sqlite/connection.ts';

/** SQL conditions of a list with their values. The SQL consists of constants. */
export interface SqlConditions {
  where: string[];
  bound: SqlValues;
}

/** Returns a condition with its values, or none if a value is undefined. */
export function whereIf(condition: string, ...values: (SqlValue | undefined)[]): SqlConditions {
  if (values.includes(undefined)) return { where: [], bound: [] };
  return { where: [condition], bound: values as SqlValues };
}

/** Returns a condition for rows with one of these values in a column, or none if no values are given. */
export const whereIn = (column: string, values: readonly (string | number)[] | undefined): SqlConditions =>
  whereIf(`${column} IN (SELECT value FROM json_each(?))`, values && JSON.stringify(values));

/** Returns a condition for rows with this value in a column, or none if no value is given. */
export const whereEqual = (column: string, value: string | number | undefined): SqlConditions =>
  whereIf(`${column} = ?`, value);

/** Combines conditions with AND. */
export const joinConditions = (...all: readonly SqlConditions[]): SqlConditions => ({
  where: all.flatMap(({ where }) => where),
  bound: all.flatMap(({ bound }) => bound),
});
