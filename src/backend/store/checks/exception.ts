import type { ExceptionEntry, ExceptionStatus } from '../../../contract/index.ts';
import type {
  ArithmeticLine,
  FindingRow,
  FindingSeverity,
  FindingSubject,
} from '../../../domain/checks/index.ts';
import { prepared, type ReadableDb, type Values, type WritableDb } from '../sqlite/connection.ts';

/** Stored values in ascending order of severity. */
export const severities = ['notice', 'warning', 'error'] as const satisfies FindingSeverity[];

/** The stored data of a finding. Instants are UTC milliseconds. */
export interface FoundException {
  key: string;
  rule: string;
  severity: FindingSeverity;
  /** True if rows of several subscriptions cause it. */
  across: boolean;
  subject: FindingSubject;
  /** Its date as the service writes it ('' if none), and the instant (0 if none). */
  dated_on: string;
  dated_at: number;
  expected_in_cents: number | null;
  actual_in_cents: number | null;
  difference_in_cents: number | null;
  message: string;
  arithmetic: readonly ArithmeticLine[];
  rows: readonly FindingRow[];
  /** Every record that it concerns, so that it can be found from there. */
  links: ExceptionLinks;
  /** SHA-256 of its evidence. */
  evidence: string;
}

export interface ExceptionLinks {
  subscription: ReadonlySet<number>;
  statement: ReadonlySet<number>;
  webhook: ReadonlySet<number>;
}

/** The fields of a stored exception that the checks need. */
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
}

const storedColumns = [
  ...[
    'id',
    'key',
    'rule',
    'severity',
    'status',
    'across',
    'subscription_id',
    'statement_id',
    'webhook_id',
    'dated_at',
  ],
  ...['difference_in_cents', 'evidence', 'accepted_evidence', 'message', 'rows'],
]
  .map((column) => `exception.${column}`)
  .join(', ');

/** Returns the exception with this key, or null if it was never found. */
export function storedByKey(db: ReadableDb, key: string): StoredException | null {
  return (
    prepared<StoredException>(db, `SELECT ${storedColumns} FROM exception WHERE key = ?`).get(key) ?? null
  );
}

/** Returns null if the exception does not exist. */
export function storedById(db: ReadableDb, id: number): StoredException | null {
  return prepared<StoredException>(db, `SELECT ${storedColumns} FROM exception WHERE id = ?`).get(id) ?? null;
}

/** Returns the exceptions of these subscriptions that are not closed, except those across subscriptions. */
export function liveOfSubscriptions(db: ReadableDb, subscriptions: readonly number[]): StoredException[] {
  return prepared<StoredException>(
    db,
    `SELECT ${storedColumns} FROM json_each(?) AS wanted CROSS JOIN exception INDEXED BY exception_subscription
       ON subscription_id = wanted.value AND across = 0 AND status IN ('open', 'accepted')`,
  ).all(JSON.stringify(subscriptions));
}

/** Returns the exceptions that are not closed about webhooks with these ids that name no subscription. */
export function liveOfUnnamed(
  db: ReadableDb,
  { from, until }: { from: number; until: number },
): StoredException[] {
  return prepared<StoredException>(
    db,
    `SELECT ${storedColumns} FROM exception INDEXED BY exception_subscription
     WHERE subscription_id IS NULL AND across = 0 AND status IN ('open', 'accepted') AND webhook_id >= ? AND webhook_id < ?`,
  ).all(from, until);
}

/** Returns the exceptions across subscriptions that are not closed and concern one of these, or all for null. */
export function liveAcross(db: ReadableDb, subscriptions: readonly number[] | null): StoredException[] {
  const live = `SELECT ${storedColumns} FROM exception INDEXED BY exception_across
    WHERE across = 1 AND status IN ('open', 'accepted')`;
  if (subscriptions === null) return prepared<StoredException>(db, live).all();
  return prepared<StoredException>(
    db,
    `${live} AND EXISTS (SELECT 1 FROM exception_link WHERE exception_id = exception.id
       AND exception_link.kind = 'subscription' AND exception_link.id IN (SELECT value FROM json_each(?)))`,
  ).all(JSON.stringify(subscriptions));
}

/** Returns the open exceptions of a rule. */
export function openOfRule(db: ReadableDb, rule: string): number[] {
  return prepared<number>(
    db,
    `SELECT exception.id FROM exception JOIN exception_class ON exception_class.id = class_id
     WHERE exception_class.rule = ? AND exception_class.status = 'open' ORDER BY exception.id`,
  )
    .pluck()
    .all(rule);
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
  ...[
    'expected_in_cents',
    'actual_in_cents',
    'difference_in_cents',
    'evidence',
    'accepted_evidence',
    'message',
  ],
  ...['arithmetic', 'rows'],
];

/** Upper limit in cents for each amount at stake, so that sums stay exact. */
const MOST_AT_STAKE = 1e12;

/** The new state of an exception. */
export interface Standing {
  status: ExceptionStatus;
  accepted_evidence: string | null;
}

function values(db: WritableDb, found: FoundException, { status, accepted_evidence }: Standing): Values {
  const { subject, rule } = found;
  const severity = severities.indexOf(found.severity);
  return [
    found.key,
    classId(db, rule, severity, status),
    Number(found.across),
    subject.subscription_id,
    found.dated_on,
    found.dated_at,
    Math.min(Math.abs(found.difference_in_cents ?? 0), MOST_AT_STAKE),
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
  ];
}

/**
 * Stores a new finding as an open exception. Must be called inside `commit`, together with its history entry. Returns its
 * id.
 */
export function addException(db: WritableDb, found: FoundException, at: number): number {
  const names = [...columns, 'found_at', 'changed_at'];
  const { lastInsertRowid } = prepared(
    db,
    `INSERT INTO exception (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  ).run(...values(db, found, { status: 'open', accepted_evidence: null }), at, at);
  const id = Number(lastInsertRowid);
  link(db, id, found.links);
  return id;
}

/** Updates a known exception. `changed_at` is set if its status changes. Must be called inside `commit`. */
export function updateException(
  db: WritableDb,
  id: number,
  found: FoundException,
  standing: Standing & { changed_at: number | null },
): void {
  const set = columns.map((name) => `${name} = ?`).join(', ');
  prepared(db, `UPDATE exception SET ${set}, changed_at = coalesce(?, changed_at) WHERE id = ?`).run(
    ...values(db, found, standing),
    standing.changed_at,
    id,
  );
  prepared(db, 'DELETE FROM exception_link WHERE exception_id = ?').run(id);
  link(db, id, found.links);
}

/** Sets only the status. Must be called inside `commit`, together with its history entry. */
export function setStatus(
  db: WritableDb,
  { id, rule, severity }: StoredException,
  status: ExceptionStatus,
  accepted_evidence: string | null,
  at: number,
): void {
  prepared(
    db,
    'UPDATE exception SET class_id = ?, status = ?, accepted_evidence = ?, changed_at = ? WHERE id = ?',
  ).run(classId(db, rule, severity, status), status, accepted_evidence, at, id);
}

/** Assigns an exception to a person, or to nobody for null. Writes no history entry. */
export function setAssigned(db: WritableDb, id: number, assigned: string | null): void {
  prepared(db, 'UPDATE exception SET assigned = ? WHERE id = ?').run(assigned, id);
}

/** Adds an entry to an exception's history. */
export function addEntry(
  db: WritableDb,
  id: number,
  entry: Omit<ExceptionEntry, 'seq' | 'at'> & { at: number },
): void {
  prepared(
    db,
    `INSERT INTO exception_entry (exception_id, seq, at, user, action, text, job)
     SELECT ?, ifnull(max(seq), 0) + 1, ?, ?, ?, ?, ? FROM exception_entry WHERE exception_id = ?`,
  ).run(id, entry.at, entry.user, entry.action, entry.text, entry.job, id);
}

function link(db: WritableDb, id: number, links: ExceptionLinks): void {
  for (const kind of ['subscription', 'statement', 'webhook'] as const) {
    for (const linked of links[kind]) {
      prepared(db, 'INSERT INTO exception_link (kind, id, exception_id) VALUES (?, ?, ?)').run(
        kind,
        linked,
        id,
      );
    }
  }
}

function classId(db: WritableDb, rule: string, severity: number, status: ExceptionStatus): number {
  return (
    prepared<number>(db, 'SELECT id FROM exception_class WHERE rule = ? AND severity = ? AND status = ?')
      .pluck()
      .get(rule, severity, status) ??
    Number(
      prepared(db, 'INSERT INTO exception_class (rule, severity, status) VALUES (?, ?, ?)').run(
        rule,
        severity,
        status,
      ).lastInsertRowid,
    )
  );
}
