import type { ExceptionEntry, ExceptionStatus } from '../../../contract/index.ts';
import type { ArithmeticLine, RowRef, Severity, Subject } from '../../../domain/tieout/index.ts';
import { prepared, type ReadableDb, type Values, type WritableDb } from '../database.ts';

/** As stored, so that the most grave is the greatest. */
export const severities = ['notice', 'warning', 'error'] as const satisfies Severity[];

/** What is written of a finding. Instants in ms UTC. */
export interface FoundException {
  key: string;
  rule: string;
  severity: Severity;
  /** Rows of several subscriptions make it. */
  across: boolean;
  subject: Subject;
  /** Its own date as the service writes it, '' where it has none, and the moment, 0 likewise. */
  dated_on: string;
  dated_at: number;
  expected_in_cents: number | null;
  actual_in_cents: number | null;
  difference_in_cents: number | null;
  message: string;
  arithmetic: readonly ArithmeticLine[];
  rows: readonly RowRef[];
  /** Everything it is about or rests on, to be found from there. */
  links: ExceptionLinks;
  /** SHA-256 over what it rests on. */
  evidence: string;
}

export interface ExceptionLinks {
  subscription: ReadonlySet<number>;
  statement: ReadonlySet<number>;
  webhook: ReadonlySet<number>;
}

/** What the checks need to know of an exception that is held. */
export interface HeldException {
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

const heldColumns = [
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

/** By what it is about; null where that was never found. */
export function heldByKey(db: ReadableDb, key: string): HeldException | null {
  return prepared<HeldException>(db, `SELECT ${heldColumns} FROM exception WHERE key = ?`).get(key) ?? null;
}

/** Null where there is none. */
export function heldById(db: ReadableDb, id: number): HeldException | null {
  return prepared<HeldException>(db, `SELECT ${heldColumns} FROM exception WHERE id = ?`).get(id) ?? null;
}

/** Those of these subscriptions that are not closed; ones across subscriptions left out. */
export function liveOfSubscriptions(db: ReadableDb, subscriptions: readonly number[]): HeldException[] {
  return prepared<HeldException>(
    db,
    `SELECT ${heldColumns} FROM json_each(?) AS wanted CROSS JOIN exception INDEXED BY exception_subscription
       ON subscription_id = wanted.value AND across = 0 AND status IN ('open', 'accepted')`,
  ).all(JSON.stringify(subscriptions));
}

/** Those that are not closed and about webhooks of these ids that name no subscription. */
export function liveOfUnnamed(
  db: ReadableDb,
  { from, until }: { from: number; until: number },
): HeldException[] {
  return prepared<HeldException>(
    db,
    `SELECT ${heldColumns} FROM exception INDEXED BY exception_subscription
     WHERE subscription_id IS NULL AND across = 0 AND status IN ('open', 'accepted') AND webhook_id >= ? AND webhook_id < ?`,
  ).all(from, until);
}

/** Those across subscriptions that are not closed and that concern one of these; with null: all of them. */
export function liveAcross(db: ReadableDb, subscriptions: readonly number[] | null): HeldException[] {
  const live = `SELECT ${heldColumns} FROM exception INDEXED BY exception_across
    WHERE across = 1 AND status IN ('open', 'accepted')`;
  if (subscriptions === null) return prepared<HeldException>(db, live).all();
  return prepared<HeldException>(
    db,
    `${live} AND EXISTS (SELECT 1 FROM exception_link WHERE exception_id = exception.id
       AND exception_link.kind = 'subscription' AND exception_link.id IN (SELECT value FROM json_each(?)))`,
  ).all(JSON.stringify(subscriptions));
}

/** The open ones of a rule. */
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

/** No amount counts for more, so that sums stay exact. */
const MOST_AT_STAKE = 1e12;

/** How an exception stands from now on. */
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

/** Writes a new finding down as open, at `at`. To be called inside `commit`, with its entry. Gives its id. */
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

/** Writes down how a known finding stands now; `changed_at` where its status is another. To be called inside `commit`. */
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

/** Sets the status alone. To be called inside `commit`, with its entry. */
export function setStatus(
  db: WritableDb,
  { id, rule, severity }: HeldException,
  status: ExceptionStatus,
  accepted_evidence: string | null,
  at: number,
): void {
  prepared(
    db,
    'UPDATE exception SET class_id = ?, status = ?, accepted_evidence = ?, changed_at = ? WHERE id = ?',
  ).run(classId(db, rule, severity, status), status, accepted_evidence, at, id);
}

/** Whose it is to clear; null: nobody's. Its history is not written here. */
export function setAssigned(db: WritableDb, id: number, assigned: string | null): void {
  prepared(db, 'UPDATE exception SET assigned = ? WHERE id = ?').run(assigned, id);
}

/** Adds to an exception’s history. */
export function addEntry(
  db: WritableDb,
  id: number,
  entry: Omit<ExceptionEntry, 'seq' | 'at'> & { at: number },
): void {
  prepared(
    db,
    `INSERT INTO exception_entry (exception_id, seq, at, who, what, text, job)
     SELECT ?, ifnull(max(seq), 0) + 1, ?, ?, ?, ?, ? FROM exception_entry WHERE exception_id = ?`,
  ).run(id, entry.at, entry.who, entry.what, entry.text, entry.job, id);
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
