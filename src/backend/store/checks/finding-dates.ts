import type { FindingRow, FindingSubject } from '../../../domain/checks/index.ts';
import { readDateAsWritten } from '../../../domain/ledger/index.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';

/** Date of a finding as the service wrote it ('' if none), and its instant (UTC milliseconds, 0 if none). */
export interface FindingDate {
  dated_on: string;
  dated_at: number;
}

interface StoredDate {
  text: string | null;
  at: number | null;
}

/** Returns the date of the most specific record that a finding concerns. */
export function findFindingDate(
  db: ReadableDb,
  subject: FindingSubject,
  rows: readonly FindingRow[],
): FindingDate {
  for (const written of readDateCandidates(db, subject, rows)) {
    const date = readDateAsWritten(written?.text ?? null);
    if (date !== null) return { dated_on: date, dated_at: written?.at ?? 0 };
  }
  return { dated_on: '', dated_at: 0 };
}

function* readDateCandidates(
  db: ReadableDb,
  subject: FindingSubject,
  rows: readonly FindingRow[],
): Generator<StoredDate | undefined> {
  const { webhook_id, transaction_id, event_id, component_id, statement_id } = subject;
  const find = (sql: string, ...ids: number[]) => prepareSql<StoredDate>(db, sql).get(...ids);
  if (webhook_id !== undefined) {
    yield find('SELECT created_at_text AS text, created_at AS at FROM webhook WHERE id = ?', webhook_id);
  }
  if (transaction_id !== undefined) {
    const sql = 'SELECT created_at_text AS text, created_at AS at FROM txn WHERE id = ?';
    if (statement_id !== undefined) yield find(`${sql} AND statement_id = ?`, transaction_id, statement_id);
    yield find(`${sql} ORDER BY statement_id LIMIT 1`, transaction_id);
  }
  if (event_id !== undefined && statement_id !== undefined) {
    yield find(
      'SELECT created_at_text AS text, created_at AS at FROM statement_event WHERE statement_id = ? AND id = ?',
      statement_id,
      event_id,
    );
  }
  const allocation = rows.findLast((row) => row.kind === 'allocation');
  if (component_id !== undefined && allocation !== undefined) {
    yield find(
      `SELECT timestamp AS text, timestamp_ms AS at FROM allocation
       WHERE subscription_id = ? AND component_id = ? AND timestamp_ms = ? AND ordinal = ?`,
      allocation.subscription_id ?? -1,
      allocation.component_id,
      allocation.timestamp,
      allocation.ordinal,
    );
  }
  if (statement_id !== undefined) {
    yield find(
      `SELECT coalesce(closed_at_text, opened_at_text, created_at_text) AS text, dated_at AS at FROM statement WHERE id = ?`,
      statement_id,
    );
  }
}

/** Returns the subscription of each statement. Omits statements that are not stored. */
export function findStatementSubscriptions(
  db: ReadableDb,
  statements: Iterable<number>,
): Map<number, number> {
  const sql = 'SELECT id, subscription_id FROM statement WHERE id IN (SELECT value FROM json_each(?))';
  const rows = prepareSql<[number, number]>(db, sql)
    .raw()
    .all(JSON.stringify([...statements]));
  return new Map(rows);
}

/** Returns true if all records of a finding are stored. Otherwise the finding may disappear without a resolution. */
export function areFindingRowsStored(db: ReadableDb, rows: readonly FindingRow[]): boolean {
  return rows.every((row) => isRowStored(db, row));
}

function isRowStored(db: ReadableDb, row: FindingRow): boolean {
  switch (row.kind) {
    case 'statement':
      return isStored(db, 'SELECT 1 FROM statement WHERE id = ?', row.id);
    case 'transaction':
    case 'event':
      return isStored(db, 'SELECT 1 FROM statement WHERE id = ?', row.statement_id);
    case 'webhook':
      return isStored(db, 'SELECT 1 FROM webhook WHERE id = ?', row.id);
    case 'allocation':
      return isStored(
        db,
        "SELECT 1 FROM subscription_component WHERE subscription_id = ? AND component_id = ? AND state = 'complete'",
        row.subscription_id ?? -1,
        row.component_id,
      );
  }
}

function isStored(db: ReadableDb, sql: string, ...ids: number[]): boolean {
  return prepareSql(db, sql).get(...ids) !== undefined;
}

/** Returns true if the PDF of the statement's current version is stored and its text has been extracted. */
export function isPdfTextStored(db: ReadableDb, statement: number): boolean {
  return isStored(
    db,
    `SELECT 1 FROM statement JOIN pdf ON pdf.statement_id = statement.id JOIN pdf_text USING (sha256)
     WHERE statement.id = ? AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1)`,
    statement,
  );
}
