import type { z } from 'zod';
import type {
  ContractOutputs,
  ExceptionReference,
  ExceptionRow,
  exceptionFilterSchema,
  exceptionSortSchema,
  PageMarks,
} from '../../../contract/index.ts';
import { type Finding, findCheckRule } from '../../../domain/checks/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import {
  type ListOrder,
  type ListQueryPlan,
  type PageRequest,
  planListScans,
  readListPage,
  readPageCursors,
  type SortColumn,
  toRowIds,
} from '../lists/keyset-pagination.ts';
import { joinConditions, type SqlConditions, whereIf, whereIn } from '../lists/sql-conditions.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { toLikePattern } from '../sqlite/like-pattern.ts';
import { findSubscription } from '../statements/subscription-list.ts';
import { findingSeverities } from './exception.ts';

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

/** Selected exception classes (rule, severity, status) and conditions on their rows. */
interface ExceptionSelection extends SqlConditions {
  classes: ExceptionClass[];
}

const id: SortColumn = { name: 'id', type: 'number' };
const stake: SortColumn = { name: 'at_stake_in_cents', type: 'number' };
const sorts: Record<ExceptionQuery['sort']['by'], { columns: readonly SortColumn[]; index: string }> = {
  severity: { columns: [{ name: 'severity', type: 'number' }, stake, id], index: 'exception_class_severity' },
  at_stake_in_cents: { columns: [stake, id], index: 'exception_class_stake' },
  dated_on: { columns: [{ name: 'dated_on', type: 'text' }, id], index: 'exception_class_dated' },
  id: { columns: [id], index: 'exception_class_id' },
};

/** Returns a page of exceptions. The first page includes the total number and sums. */
export function listExceptions(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  query: ExceptionQuery & PageRequest & { refs: boolean },
): ContractOutputs['exceptions']['list'] {
  const selection = selectExceptions(books, query.filter);
  const { keys, next } = readListPage(books, planSelection(selection, query.sort), query);
  const rows = listExceptionsById(cache, books, toRowIds(keys)).map((row) =>
    query.refs ? { ...row, refs: listExceptionRefs(books, row.id) } : row,
  );
  if (query.after !== undefined) return { rows, next, total: null, sums: null };
  const sums = sumSelection(books, selection);
  const count = sums.by_severity.reduce((total, each) => total + each.count, 0);
  return { rows, next, total: { count, exact: true }, sums };
}

export function readExceptionPageCursors(
  books: ReadableDb,
  query: ExceptionQuery & { every: number },
): PageMarks {
  return readPageCursors(books, planExceptionList(books, query), query.every, 'exception');
}

export function planExceptionList(books: ReadableDb, { filter, sort }: ExceptionQuery): ListQueryPlan {
  return planSelection(selectExceptions(books, filter), sort);
}

/** Returns the exception classes that contain exceptions. */
function listExceptionClasses(books: ReadableDb): ExceptionClass[] {
  const sql = 'SELECT * FROM exception_class WHERE count > 0 ORDER BY severity DESC, rule, status';
  return select.rows<ExceptionClass>(books, sql);
}

function selectExceptions(books: ReadableDb, filter: ExceptionQuery['filter']): ExceptionSelection {
  const { status, rule, severity, assigned, search, period } = filter;
  const classes = listExceptionClasses(books).filter(
    (each) =>
      (status === undefined || status.includes(each.status)) &&
      (rule === undefined || rule.includes(each.rule)) &&
      (severity === undefined || severity.includes(findingSeverities[each.severity]!)),
  );
  const linked = (kind: 'subscription' | 'statement' | 'webhook') => {
    const sql = 'id IN (SELECT exception_id FROM exception_link WHERE kind = ? AND exception_link.id = ?)';
    return whereIf(sql, kind, filter[`${kind}_id`]);
  };
  const conditions = joinConditions(
    ...[linked('subscription'), linked('statement'), linked('webhook')],
    whereIf('assigned IS ?', assigned),
    whereIf('dated_on BETWEEN ? AND ?', period && `${period}-01`, period && `${period}-31`),
    search?.trim() ? getExceptionSearchConditions(search.trim()) : { where: [], bound: [] },
  );
  return { classes, ...conditions };
}

/** Returns SQL conditions for exceptions with these words in the message, or with this text as id or subject id. */
export function getExceptionSearchConditions(words: string): SqlConditions {
  const subjects = [
    'subscription_id',
    'statement_id',
    'transaction_id',
    'event_id',
    'webhook_id',
    'component_id',
  ];
  const ids = ['id', ...subjects].map((name) => `${name} = ?`).join(' OR ');
  const number = /^\d{1,15}$/.test(words) ? Number(words) : -1;
  const numbers = Array<number>(subjects.length + 1).fill(number);
  return whereIf(`(message LIKE ? ESCAPE '\\' OR ${ids})`, toLikePattern(words), ...numbers);
}

/** Plans one index scan per exception class, or a single scan for a statement, subscription or webhook. */
function planSelection(
  selection: ExceptionSelection,
  { by, direction }: ExceptionQuery['sort'],
): ListQueryPlan {
  const { classes, where, bound } = selection;
  const { columns, index } = sorts[by];
  const order: ListOrder = { name: `exceptions ${by}`, columns, direction };
  const ids = classes.map((each) => each.id);
  const isNarrow = where.some((each) => each.includes('exception_link'));
  if (classes.length > 0 && isNarrow) {
    return planListScans(order, [
      { from: 'exception', ...joinConditions(selection, whereIn('class_id', ids)) },
    ]);
  }
  const from = `exception INDEXED BY ${index}`;
  const scans = ids.map((id) => ({ from, where: ['class_id = ?', ...where], bound: [id, ...bound] }));
  return planListScans(order, scans);
}

type Sums = NonNullable<ContractOutputs['exceptions']['list']['sums']>;

/** Returns the sums of a selection, from stored counts if only classes are selected. */
function sumSelection(books: ReadableDb, { classes, where, bound }: ExceptionSelection): Sums {
  const figures =
    where.length === 0
      ? classes
      : classes.map((each) => ({
          ...each,
          ...select.row<{ count: number; at_stake_in_cents: number }>(
            books,
            `SELECT count(*) AS count, ifnull(sum(at_stake_in_cents), 0) AS at_stake_in_cents FROM exception
             WHERE class_id = ? AND ${where.join(' AND ')}`,
            each.id,
            ...bound,
          )!,
        }));
  const found = figures.filter(({ count }) => count > 0);
  return {
    at_stake_in_cents: found.reduce((sum, each) => sum + each.at_stake_in_cents, 0),
    by_severity: [...Map.groupBy(found, (each) => each.severity)].map(([severity, each]) => ({
      severity: findingSeverities[severity]!,
      ...addUp(each),
    })),
    by_rule: [...Map.groupBy(found, (each) => `${each.rule} ${each.severity}`).values()].map((each) => ({
      rule: each[0]!.rule,
      severity: findingSeverities[each[0]!.severity]!,
      ...addUp(each),
    })),
  };
}

function addUp(each: readonly { count: number; at_stake_in_cents: number }[]) {
  return {
    count: each.reduce((sum, { count }) => sum + count, 0),
    at_stake_in_cents: each.reduce((sum, { at_stake_in_cents }) => sum + at_stake_in_cents, 0),
  };
}

interface StoredExceptionRow
  extends Omit<
    ExceptionRow,
    'title' | 'severity' | 'subject' | 'members' | 'customer_name' | 'dated_on' | 'found_at' | 'changed_at'
  > {
  severity: number;
  members: string;
  subscription_id: number | null;
  statement_id: number | null;
  transaction_id: number | null;
  event_id: number | null;
  webhook_id: number | null;
  component_id: number | null;
  dated_on: string;
  found_at: number;
  changed_at: number;
}

const columns = `exception.id, rule, severity, status, subscription_id, statement_id, transaction_id, event_id,
  webhook_id, component_id, expected_in_cents, actual_in_cents, difference_in_cents, at_stake_in_cents, message, members, dated_on,
  assigned, comments, found_at, changed_at`;

/** Returns the exceptions with these ids in the given order. */
export function listExceptionsById(
  cache: ReadableDb,
  books: ReadableDb,
  ids: readonly number[],
): ExceptionRow[] {
  const sql = `SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN exception ON exception.id = wanted.value ORDER BY wanted.key`;
  return select
    .rows<StoredExceptionRow>(books, sql, JSON.stringify(ids))
    .map((row) => toExceptionRow(cache, row));
}

function toExceptionRow(cache: ReadableDb, row: StoredExceptionRow): ExceptionRow {
  const { subscription_id, statement_id, transaction_id, event_id, webhook_id, component_id, ...rest } = row;
  return {
    ...rest,
    title: findCheckRule(row.rule)?.title ?? row.rule,
    severity: findingSeverities[row.severity]!,
    subject: { subscription_id, statement_id, transaction_id, event_id, webhook_id, component_id },
    members: toExceptionMembers(row.members),
    customer_name:
      subscription_id === null ? null : (findSubscription(cache, subscription_id)?.customer_name ?? null),
    dated_on: row.dated_on === '' ? null : row.dated_on,
    found_at: formatTimestamp(row.found_at),
    changed_at: formatTimestamp(row.changed_at),
  };
}

/** Parses the members of an exception as stored. */
export const toExceptionMembers = (members: string): ExceptionRow['members'] =>
  members === '[]'
    ? []
    : (JSON.parse(members) as Finding[]).map(({ rule, severity, difference_in_cents, message }) => {
        return { rule, title: findCheckRule(rule)?.title ?? rule, severity, difference_in_cents, message };
      });

/** Returns references to the distinct records that cause an exception. */
export function listExceptionRefs(books: ReadableDb, id: number): ExceptionReference[] {
  const rows = select.value<string>(books, 'SELECT rows FROM exception WHERE id = ?', id) ?? '[]';
  const seen = new Map((JSON.parse(rows) as ExceptionReference[]).map((row) => [JSON.stringify(row), row]));
  return [...seen.values()];
}

/** Returns the people to whom exceptions are or were assigned. */
export function listExceptionAssignees(books: ReadableDb): ContractOutputs['exceptions']['assignees'] {
  const sql = `SELECT assigned, count(*) FILTER (WHERE status = 'open') AS open FROM exception
     WHERE assigned IS NOT NULL GROUP BY assigned ORDER BY assigned`;
  return select.rows<{ assigned: string; open: number }>(books, sql);
}
