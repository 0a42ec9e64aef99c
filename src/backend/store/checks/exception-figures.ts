import type { CheckSummary, Severity } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { findingSeverities } from './exception.ts';

/** Number of exceptions with one rule, severity and status. */
export interface ExceptionCount {
  rule: string;
  severity: Severity;
  status: 'open' | 'accepted' | 'closed';
  count: number;
  unassigned: number;
  at_stake_in_cents: number;
}

/** A range of days for counting exceptions, both inclusive. */
export interface ExceptionDateRange {
  first: string;
  last: string;
}

const figures =
  'count(*) AS count, sum(assigned IS NULL) AS unassigned, sum(at_stake_in_cents) AS at_stake_in_cents';

/** Counts exceptions by rule, severity and status in a range of days. For all days, reads the stored counts. */
export function countExceptions(db: ReadableDb, days: ExceptionDateRange | null): ExceptionCount[] {
  type Stored = Omit<ExceptionCount, 'severity'> & { severity: number };
  const rowsSql = `SELECT rule, severity, status, count, unassigned, at_stake_in_cents FROM exception_class WHERE count > 0`;
  const sql = `SELECT rule, severity, status, ${figures} FROM exception INDEXED BY exception_dated
           WHERE dated_on BETWEEN ? AND ? GROUP BY rule, severity, status`;
  const rows =
    days === null ? select.rows<Stored>(db, rowsSql) : select.rows<Stored>(db, sql, days.first, days.last);
  return rows.map((row) => ({ ...row, severity: findingSeverities[row.severity]! }));
}

/** Aging buckets of open exceptions, in days. A null upper limit is unbounded. */
const ages: readonly (readonly [from: number, to: number | null])[] = [
  [0, 7],
  [8, 30],
  [31, 60],
  [61, 90],
  [91, null],
];

/** Returns the open exceptions by age in days. The age counts from the exception's date; without a date, it is 0. */
export function sumExceptionAges(
  db: ReadableDb,
  today: string,
  days: ExceptionDateRange | null,
): CheckSummary['aging'] {
  const within = days === null ? '' : 'AND dated_on BETWEEN ? AND ?';
  const bound = days === null ? [] : [days.first, days.last];
  const sql = `SELECT max(0, cast(julianday(?) - julianday(iif(dated_on = '', ?, dated_on)) AS INTEGER)) AS age,
       count(*) AS open, sum(exception.at_stake_in_cents) AS at_stake_in_cents
     FROM exception_class CROSS JOIN exception INDEXED BY exception_class_dated ON class_id = exception_class.id
     WHERE exception_class.status = 'open' ${within} GROUP BY dated_on`;
  const rows = select.rows<{ age: number; open: number; at_stake_in_cents: number }>(
    db,
    sql,
    today,
    today,
    ...bound,
  );
  return ages.map(([from_days, to_days]) => {
    const of = rows.filter(({ age }) => age >= from_days && (to_days === null || age <= to_days));
    return {
      from_days,
      to_days,
      open: of.reduce((sum, each) => sum + each.open, 0),
      at_stake_in_cents: of.reduce((sum, each) => sum + each.at_stake_in_cents, 0),
    };
  });
}

/** Returns the number of open exceptions by month (YYYY-MM). */
export function countOpenExceptionsByMonth(db: ReadableDb): Map<string, number> {
  const sql = `SELECT substr(dated_on, 1, 7) AS period, count(*)
     FROM exception_class CROSS JOIN exception INDEXED BY exception_class_dated ON class_id = exception_class.id
     WHERE exception_class.status = 'open' AND dated_on <> '' GROUP BY period`;
  const rows = prepareSql<[string, number]>(db, sql).raw().all();
  return new Map(rows);
}
