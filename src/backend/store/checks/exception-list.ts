import type { z } from 'zod';
import type {
  ExceptionRef,
  ExceptionRow,
  exceptionFilterSchema,
  exceptionSortSchema,
  Marks,
  Outputs,
} from '../../../contract/index.ts';
import { findCheckRule } from '../../../domain/checks/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import {
  type Branch,
  type Column,
  idsOf,
  type Order,
  type Reading,
  readMarks,
  readPage,
} from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { containing } from '../sqlite/like-pattern.ts';
import { subscription } from '../statements/subscription-list.ts';
import { severities } from './exception.ts';

export interface ExceptionQuery {
  filter: z.output<typeof exceptionFilterSchema>;
  sort: z.output<typeof exceptionSortSchema>;
}

interface ExceptionClass {
  id: number;
  rule: string;
  severity: number;
  status: ExceptionRow['status'];
  count: number;
  unassigned: number;
  at_stake_in_cents: number;
}

interface Selection {
  classes: ExceptionClass[];
  /** Conditions besides the class. */
  where: string[];
  bound: Values;
}

const id: Column = { name: 'id', type: 'number' };
const stake: Column = { name: 'at_stake_in_cents', type: 'number' };
const sorts: Record<ExceptionQuery['sort']['by'], { columns: readonly Column[]; index: string }> = {
  severity: { columns: [{ name: 'severity', type: 'number' }, stake, id], index: 'exception_class_severity' },
  at_stake_in_cents: { columns: [stake, id], index: 'exception_class_stake' },
  dated_on: { columns: [{ name: 'dated_on', type: 'text' }, id], index: 'exception_class_dated' },
  id: { columns: [id], index: 'exception_class_id' },
};

/** Returns a page of exceptions. The first page includes the number of exceptions and their sums. */
export function listExceptions(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  query: ExceptionQuery & { after?: string | undefined; limit: number; refs: boolean },
): Outputs['exceptions']['list'] {
  const selection = select(books, query.filter);
  const { keys, next } = readPage(books, readingOf(selection, query.sort), query);
  const rows = exceptionRows(cache, books, idsOf(keys)).map((row) =>
    query.refs ? { ...row, refs: refsOf(books, row.id) } : row,
  );
  if (query.after !== undefined) return { rows, next, total: null, sums: null };
  const sums = sumsOf(books, selection);
  const count = sums.by_severity.reduce((total, each) => total + each.count, 0);
  return { rows, next, total: { count, exact: true }, sums };
}

/** Returns cursors at regular intervals of the list, so that any part of it can be read directly. */
export function exceptionMarks(books: ReadableDb, query: ExceptionQuery & { every: number }): Marks {
  const from = exceptionReading(books, query);
  return readMarks(books, from, query.every, 'exception');
}

/** Plans how a list of exceptions is read. */
export function exceptionReading(books: ReadableDb, { filter, sort }: ExceptionQuery): Reading {
  return readingOf(select(books, filter), sort);
}

/** Returns every class with exceptions. */
function exceptionClasses(books: ReadableDb): ExceptionClass[] {
  return prepared<ExceptionClass>(
    books,
    'SELECT * FROM exception_class WHERE count > 0 ORDER BY severity DESC, rule, status',
  ).all();
}

function select(books: ReadableDb, filter: ExceptionQuery['filter']): Selection {
  const { status, rule, severity, subscription_id, statement_id, webhook_id, assigned, search, period } =
    filter;
  const classes = exceptionClasses(books).filter(
    (each) =>
      (status === undefined || status.includes(each.status)) &&
      (rule === undefined || rule.includes(each.rule)) &&
      (severity === undefined || severity.includes(severities[each.severity]!)),
  );
  const where: string[] = [];
  const bound: Values = [];
  const ask = (condition: string, ...values: Values): void => {
    where.push(condition);
    bound.push(...values);
  };
  for (const [kind, linked] of [
    ['subscription', subscription_id],
    ['statement', statement_id],
    ['webhook', webhook_id],
  ] as const) {
    if (linked === undefined) continue;
    ask(
      'id IN (SELECT exception_id FROM exception_link WHERE kind = ? AND exception_link.id = ?)',
      kind,
      linked,
    );
  }
  if (assigned !== undefined) ask('assigned IS ?', assigned);
  if (period !== undefined) ask('dated_on BETWEEN ? AND ?', `${period}-01`, `${period}-31`);
  const words = search?.trim() ?? '';
  if (words !== '') {
    const ids = [
      'subscription_id',
      'statement_id',
      'transaction_id',
      'event_id',
      'webhook_id',
      'component_id',
    ];
    const number = /^\d{1,15}$/.test(words) ? Number(words) : -1;
    ask(
      `(message LIKE ? ESCAPE '\\' OR id = ? OR ${ids.map((name) => `${name} = ?`).join(' OR ')})`,
      containing(words),
      number,
      ...ids.map(() => number),
    );
  }
  return { classes, where, bound };
}

/** Returns a branch per class. Rows selected by their subject are few and sorted in memory. */
function readingOf({ classes, where, bound }: Selection, { by, direction }: ExceptionQuery['sort']): Reading {
  const { columns, index } = sorts[by];
  const order: Order = { name: `exceptions ${by}`, columns, direction };
  if (classes.length === 0) return { order, groups: [], edge: null };
  const branches: Branch[] = isNarrow(where)
    ? [
        {
          from: 'exception',
          where: [...where, 'class_id IN (SELECT value FROM json_each(?))'],
          bound: [...bound, JSON.stringify(classes.map((each) => each.id))],
        },
      ]
    : classes.map((each) => ({
        from: `exception INDEXED BY ${index}`,
        where: ['class_id = ?', ...where],
        bound: [each.id, ...bound],
      }));
  return { order, groups: [{ lead: [], branches }], edge: null };
}

const isNarrow = (where: readonly string[]): boolean => where.some((each) => each.includes('exception_link'));

type Sums = NonNullable<Outputs['exceptions']['list']['sums']>;

/** Returns the sums, from stored counts if only classes are selected. */
function sumsOf(books: ReadableDb, { classes, where, bound }: Selection): Sums {
  const figures =
    where.length === 0
      ? classes
      : classes.map((each) => ({
          ...each,
          ...prepared<{ count: number; at_stake_in_cents: number }>(
            books,
            `SELECT count(*) AS count, ifnull(sum(at_stake_in_cents), 0) AS at_stake_in_cents FROM exception
             WHERE class_id = ? AND ${where.join(' AND ')}`,
          ).get(each.id, ...bound)!,
        }));
  const found = figures.filter(({ count }) => count > 0);
  return {
    at_stake_in_cents: found.reduce((sum, each) => sum + each.at_stake_in_cents, 0),
    by_severity: [...Map.groupBy(found, (each) => each.severity)].map(([severity, each]) => ({
      severity: severities[severity]!,
      ...added(each),
    })),
    by_rule: [...Map.groupBy(found, (each) => `${each.rule} ${each.severity}`).values()].map((each) => ({
      rule: each[0]!.rule,
      severity: severities[each[0]!.severity]!,
      ...added(each),
    })),
  };
}

function added(each: readonly { count: number; at_stake_in_cents: number }[]) {
  return {
    count: each.reduce((sum, { count }) => sum + count, 0),
    at_stake_in_cents: each.reduce((sum, { at_stake_in_cents }) => sum + at_stake_in_cents, 0),
  };
}

interface StoredRow {
  id: number;
  rule: string;
  severity: number;
  status: ExceptionRow['status'];
  subscription_id: number | null;
  statement_id: number | null;
  transaction_id: number | null;
  event_id: number | null;
  webhook_id: number | null;
  component_id: number | null;
  expected_in_cents: number | null;
  actual_in_cents: number | null;
  difference_in_cents: number | null;
  at_stake_in_cents: number;
  message: string;
  dated_on: string;
  assigned: string | null;
  comments: number;
  found_at: number;
  changed_at: number;
}

const columns = `exception.id, rule, severity, status, subscription_id, statement_id, transaction_id, event_id,
  webhook_id, component_id, expected_in_cents, actual_in_cents, difference_in_cents, at_stake_in_cents, message, dated_on,
  assigned, comments, found_at, changed_at`;

/** Returns the exceptions with these ids in the given order. */
export function exceptionRows(cache: ReadableDb, books: ReadableDb, ids: readonly number[]): ExceptionRow[] {
  return prepared<StoredRow>(
    books,
    `SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN exception ON exception.id = wanted.value ORDER BY wanted.key`,
  )
    .all(JSON.stringify(ids))
    .map((row) => shown(cache, row));
}

function shown(cache: ReadableDb, row: StoredRow): ExceptionRow {
  const { subscription_id, statement_id, transaction_id, event_id, webhook_id, component_id, ...rest } = row;
  return {
    ...rest,
    title: findCheckRule(row.rule)?.title ?? row.rule,
    severity: severities[row.severity]!,
    subject: { subscription_id, statement_id, transaction_id, event_id, webhook_id, component_id },
    customer_name:
      subscription_id === null ? null : (subscription(cache, subscription_id)?.customer_name ?? null),
    dated_on: row.dated_on === '' ? null : row.dated_on,
    found_at: formatTimestamp(row.found_at),
    changed_at: formatTimestamp(row.changed_at),
  };
}

/** Returns the rows behind an exception, each once. */
export function refsOf(books: ReadableDb, id: number): ExceptionRef[] {
  const rows = prepared<string>(books, 'SELECT rows FROM exception WHERE id = ?').pluck().get(id) ?? '[]';
  const seen = new Map((JSON.parse(rows) as ExceptionRef[]).map((row) => [JSON.stringify(row), row]));
  return [...seen.values()];
}

/** Returns the people to whom open and closed exceptions were assigned. */
export function assigneesOf(books: ReadableDb): Outputs['exceptions']['assignees'] {
  return prepared<{ assigned: string; open: number }>(
    books,
    `SELECT assigned, count(*) FILTER (WHERE status = 'open') AS open FROM exception
     WHERE assigned IS NOT NULL GROUP BY assigned ORDER BY assigned`,
  ).all();
}
