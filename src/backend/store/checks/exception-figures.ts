import type { CheckSummary, Severity } from '../../../contract/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { severities } from './exception.ts';

/** Number of exceptions by rule, severity and status. */
export interface ExceptionFigure {
  rule: string;
  severity: Severity;
  status: 'open' | 'accepted' | 'closed';
  count: number;
  unassigned: number;
  at_stake_in_cents: number;
}

/** A range of days, both inclusive. */
export interface Days {
  first: string;
  last: string;
}

const figures =
  'count(*) AS count, sum(assigned IS NULL) AS unassigned, sum(at_stake_in_cents) AS at_stake_in_cents';

/** Counts the exceptions of some days, or all of them from stored counts. */
export function exceptionFigures(db: ReadableDb, days: Days | null): ExceptionFigure[] {
  type Stored = Omit<ExceptionFigure, 'severity'> & { severity: number };
  const rows =
    days === null
      ? prepared<Stored>(
          db,
          `SELECT rule, severity, status, count, unassigned, at_stake_in_cents FROM exception_class WHERE count > 0`,
        ).all()
      : prepared<Stored>(
          db,
          `SELECT rule, severity, status, ${figures} FROM exception INDEXED BY exception_dated
           WHERE dated_on BETWEEN ? AND ? GROUP BY rule, severity, status`,
        ).all(days.first, days.last);
  return rows.map((row) => ({ ...row, severity: severities[row.severity]! }));
}

/** Age classes of open exceptions in days. Null is unlimited. */
const ages: readonly (readonly [from: number, to: number | null])[] = [
  [0, 7],
  [8, 30],
  [31, 60],
  [61, 90],
  [91, null],
];

/** Returns the open exceptions by age on a day, counted from their own date. One without a date has age 0. */
export function exceptionAges(db: ReadableDb, today: string, days: Days | null): CheckSummary['aging'] {
  const within = days === null ? '' : 'AND dated_on BETWEEN ? AND ?';
  const bound = days === null ? [] : [days.first, days.last];
  const rows = prepared<{ age: number; open: number; at_stake_in_cents: number }>(
    db,
    `SELECT max(0, cast(julianday(?) - julianday(iif(dated_on = '', ?, dated_on)) AS INTEGER)) AS age,
       count(*) AS open, sum(exception.at_stake_in_cents) AS at_stake_in_cents
     FROM exception_class CROSS JOIN exception INDEXED BY exception_class_dated ON class_id = exception_class.id
     WHERE exception_class.status = 'open' ${within} GROUP BY dated_on`,
  ).all(today, today, ...bound);
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

/** Returns the number of open exceptions per month ("YYYY-MM"). */
export function openByMonth(db: ReadableDb): Map<string, number> {
  const rows = prepared<[string, number]>(
    db,
    `SELECT substr(dated_on, 1, 7) AS period, count(*)
     FROM exception_class CROSS JOIN exception INDEXED BY exception_class_dated ON class_id = exception_class.id
     WHERE exception_class.status = 'open' AND dated_on <> '' GROUP BY period`,
  )
    .raw()
    .all();
  return new Map(rows);
}
