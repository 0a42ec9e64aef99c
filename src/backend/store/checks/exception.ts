import type { ExceptionEntry, ExceptionStatus } from '../../../contract/index.ts';
import type {
  Finding,
  FindingArithmeticLine,
  FindingRow,
  FindingSeverity,
  FindingSubject,
} from '../../../domain/checks/index.ts';
import {
  prepareSql,
  type ReadableDb,
  type SqlValues,
  select,
  type WritableDb,
} from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';

/** Severities of findings in ascending order. The index is the stored value. */
export const findingSeverities = ['notice', 'warning', 'error'] as const satisfies FindingSeverity[];

/** Data of a finding for storing it as an exception. Instants are UTC milliseconds. */
export interface ExceptionContent {
  key: string;
  rule: string;
  severity: FindingSeverity;
  /** True if records of several subscriptions cause the exception. */
  across: boolean;
  subject: FindingSubject;
  /** Date of the exception as the service wrote it ('' if none), and its instant (0 if none). */
  dated_on: string;
  dated_at: number;
  expected_in_cents: number | null;
  actual_in_cents: number | null;
  difference_in_cents: number | null;
  message: string;
  arithmetic: readonly FindingArithmeticLine[];
  rows: readonly FindingRow[];
  members: readonly Pick<Finding, 'rule' | 'severity' | 'subject' | 'difference_in_cents' | 'message'>[];
  /** Records that the exception concerns. Their views show the exception. */
  links: ExceptionLinks;
  /** SHA-256 of the exception's evidence. */
  evidence: string;
}

export interface ExceptionLinks {
  subscription: ReadonlySet<number>;
  statement: ReadonlySet<number>;
  webhook: ReadonlySet<number>;
}

/** Fields of a stored exception that checks use. */
export interface StoredException {
  id: number;
  key: string;
  rule: string;
  severity: number;
  status: ExceptionStatus;
  across: number;
  subscription_id: number | null;
  statement_id: number | null;
  webhook_id: number | null;
  dated_at: number;
  difference_in_cents: number | null;
  evidence: string;
  accepted_evidence: string | null;
  message: string;
  rows: string;
  members: string;
}

const storedColumns = `exception.id, exception.key, exception.rule, exception.severity, exception.status, exception.across,
  exception.subscription_id, exception.statement_id, exception.webhook_id, exception.dated_at, exception.difference_in_cents,
  exception.evidence, exception.accepted_evidence, exception.message, exception.rows, exception.members`;

/** Returns the exception with this key, or null if no check has ever found it. */
export function findExceptionByKey(db: ReadableDb, key: string): StoredException | null {
  return select.row<StoredException>(db, `SELECT ${storedColumns} FROM exception WHERE key = ?`, key);
}

export function findException(db: ReadableDb, id: number): StoredException | null {
  return select.row<StoredException>(db, `SELECT ${storedColumns} FROM exception WHERE id = ?`, id);
}

/** Returns the open and accepted exceptions of these subscriptions, except those across subscriptions. */
export function listActiveExceptionsForSubscriptions(
  db: ReadableDb,
  subscriptions: readonly number[],
): StoredException[] {
  const sql = `SELECT ${storedColumns} FROM json_each(?) AS wanted CROSS JOIN exception INDEXED BY exception_subscription
       ON subscription_id = wanted.value AND across = 0 AND status IN ('open', 'accepted')`;
  return select.rows<StoredException>(db, sql, JSON.stringify(subscriptions));
}

/** Returns the open and accepted exceptions about webhooks in an id range that name no subscription. */
export function listActiveExceptionsForWebhooks(
  db: ReadableDb,
  { from, until }: { from: number; until: number },
): StoredException[] {
  const sql = `SELECT ${storedColumns} FROM exception INDEXED BY exception_subscription
     WHERE subscription_id IS NULL AND across = 0 AND status IN ('open', 'accepted') AND webhook_id >= ? AND webhook_id < ?`;
  return select.rows<StoredException>(db, sql, from, until);
}

/** Returns the open and accepted cross-subscription exceptions about one of these subscriptions. Null selects all. */
export function listActiveCrossSubscriptionExceptions(
  db: ReadableDb,
  subscriptions: readonly number[] | null,
): StoredException[] {
  const live = `SELECT ${storedColumns} FROM exception INDEXED BY exception_across
    WHERE across = 1 AND status IN ('open', 'accepted')`;
  if (subscriptions === null) return select.rows<StoredException>(db, live);
  const sql = `${live} AND EXISTS (SELECT 1 FROM exception_link WHERE exception_id = exception.id
       AND exception_link.kind = 'subscription' AND exception_link.id IN (SELECT value FROM json_each(?)))`;
  return select.rows<StoredException>(db, sql, JSON.stringify(subscriptions));
}

/** Returns the ids of a rule's open exceptions. */
export function listOpenExceptionsForRule(db: ReadableDb, rule: string): number[] {
  const sql = `SELECT exception.id FROM exception JOIN exception_class ON exception_class.id = class_id
     WHERE exception_class.rule = ? AND exception_class.status = 'open' ORDER BY exception.id`;
  return select.values<number>(db, sql, rule);
}

const columns = [
  ...[
    'key',
    'class_id',
    'across',
    'subscription_id',
    'dated_on',
    'dated_at',
    'at_stake_in_cents',
    'severity',
  ],
  ...['rule', 'status', 'statement_id', 'transaction_id', 'event_id', 'webhook_id', 'component_id'],
  ...['expected_in_cents', 'actual_in_cents', 'difference_in_cents', 'evidence', 'accepted_evidence'],
  ...['message', 'arithmetic', 'rows', 'members'],
];

/** Upper limit in cents for the amount at stake of an exception, so that sums stay exact. */
const MAX_AT_STAKE_CENTS = 1e12;

/** New status of an exception. `accepted_evidence` is the SHA-256 of the evidence that a person accepted. */
export interface ExceptionState {
  status: ExceptionStatus;
  accepted_evidence: string | null;
}

function toExceptionValues(
  db: WritableDb,
  found: ExceptionContent,
  { status, accepted_evidence }: ExceptionState,
): SqlValues {
  const { subject, rule } = found;
  const severity = findingSeverities.indexOf(found.severity);
  return [
    found.key,
    findOrAddClass(db, rule, severity, status),
    Number(found.across),
    subject.subscription_id,
    found.dated_on,
    found.dated_at,
    Math.min(Math.abs(found.difference_in_cents ?? 0), MAX_AT_STAKE_CENTS),
    severity,
    rule,
    status,
    subject.statement_id ?? null,
    subject.transaction_id ?? null,
    subject.event_id ?? null,
    subject.webhook_id ?? null,
    subject.component_id ?? null,
    found.expected_in_cents,
    found.actual_in_cents,
    found.difference_in_cents,
    found.evidence,
    accepted_evidence,
    found.message,
    JSON.stringify(found.arithmetic),
    JSON.stringify(found.rows),
    JSON.stringify(
      found.members.map(({ rule, severity, subject, difference_in_cents, message }) => ({
        rule,
        severity,
        subject,
        difference_in_cents,
        message,
      })),
    ),
  ];
}

/** Stores a finding as an open exception and returns its id. Its history entry must be in the same transaction. */
export function addException(db: WritableDb, found: ExceptionContent, at: number): number {
  const names = [...columns, 'found_at', 'changed_at'];
  const sql = `INSERT INTO exception (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  const { lastInsertRowid } = prepareSql(db, sql).run(
    ...toExceptionValues(db, found, { status: 'open', accepted_evidence: null }),
    at,
    at,
  );
  const id = Number(lastInsertRowid);
  addLinks(db, id, found.links);
  return id;
}

/** Updates a stored exception. A new status also sets `changed_at`. Must be called in a transaction. */
export function updateException(
  db: WritableDb,
  id: number,
  found: ExceptionContent,
  state: ExceptionState & { changed_at: number | null },
): void {
  const set = columns.map((name) => `${name} = ?`).join(', ');
  prepareSql(db, `UPDATE exception SET ${set}, changed_at = coalesce(?, changed_at) WHERE id = ?`).run(
    ...toExceptionValues(db, found, state),
    state.changed_at,
    id,
  );
  prepareSql(db, 'DELETE FROM exception_link WHERE exception_id = ?').run(id);
  addLinks(db, id, found.links);
}

/** Sets only an exception's status. The history entry must be added in the same transaction. */
export function setExceptionStatus(
  db: WritableDb,
  { id, rule, severity }: StoredException,
  { status, accepted_evidence }: ExceptionState,
  changed_at: number,
): void {
  const class_id = findOrAddClass(db, rule, severity, status);
  updateRow(db, 'exception', { class_id, status, accepted_evidence, changed_at }, { id });
}

/** Assigns an exception to a person. Null removes the assignment. Does not write a history entry. */
export function setExceptionAssignee(db: WritableDb, id: number, assigned: string | null): void {
  updateRow(db, 'exception', { assigned }, { id });
}

export function addExceptionEntry(
  db: WritableDb,
  id: number,
  entry: Omit<ExceptionEntry, 'seq' | 'at'> & { at: number },
): void {
  const sql = `INSERT INTO exception_entry (exception_id, seq, at, user, action, text, job)
     SELECT ?, ifnull(max(seq), 0) + 1, ?, ?, ?, ?, ? FROM exception_entry WHERE exception_id = ?`;
  prepareSql(db, sql).run(id, entry.at, entry.user, entry.action, entry.text, entry.job, id);
}

/** Yields people's decisions on exceptions, oldest first per exception. Omits closings by a switched-off rule. */
export const readUserExceptionEntries = (
  db: ReadableDb,
): IterableIterator<{
  exception_id: number;
  at: number;
  user: string;
  action: string;
  text: string | null;
}> =>
  prepareSql<{ exception_id: number; at: number; user: string; action: string; text: string | null }>(
    db,
    `SELECT exception_id, at, user, action, text FROM exception_entry
     WHERE user IS NOT NULL AND action <> 'closed' ORDER BY exception_id, seq`,
  ).iterate();

function addLinks(db: WritableDb, id: number, links: ExceptionLinks): void {
  const insert = prepareSql(db, 'INSERT INTO exception_link (kind, id, exception_id) VALUES (?, ?, ?)');
  for (const kind of ['subscription', 'statement', 'webhook'] as const) {
    for (const linked of links[kind]) insert.run(kind, linked, id);
  }
}

function findOrAddClass(db: WritableDb, rule: string, severity: number, status: ExceptionStatus): number {
  const sql = 'SELECT id FROM exception_class WHERE rule = ? AND severity = ? AND status = ?';
  return (
    select.value<number>(db, sql, rule, severity, status) ??
    insertRow(db, 'exception_class', { rule, severity, status })
  );
}
