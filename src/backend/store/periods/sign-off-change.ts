import type { ClosedRowKind, Outputs, SignOffChange, SignOffChangeFilter } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type Branch, countRows, type Order, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type Values, type WritableDb } from '../sqlite/connection.ts';

export interface NewSignOffChange
  extends Pick<SignOffChange, 'change' | 'text' | 'fields' | 'amount_in_cents' | 'currency' | 'posted_in'> {
  kind: ClosedRowKind;
  row: number;
  /** UTC milliseconds. */
  detected_at: number;
  detected_by: string;
  detected_job: string | null;
  /** Digest of the row as found. */
  digest: string;
}

/** Returns the recorded change of a row, or null if the row is as signed as far as known. */
export function listCurrentSignOffChanges(
  db: ReadableDb,
  closedFigures: number,
  kind: ClosedRowKind,
  row: number,
): { id: number; digest: string } | null {
  return (
    prepared<{ id: number; digest: string }>(
      db,
      'SELECT id, digest FROM sign_off_change WHERE closed_figures_id = ? AND kind = ? AND row = ? AND ended_at IS NULL',
    ).get(closedFigures, kind, row) ?? null
  );
}

/** Returns the rows of a kind with a recorded change, or only `what` if given. */
export function rowsChangedSinceSignOff(
  db: ReadableDb,
  closedFigures: number,
  kind: ClosedRowKind,
): { id: number; row: number; change: string }[] {
  return prepared<{ id: number; row: number; change: string }>(
    db,
    'SELECT id, row, change FROM sign_off_change WHERE closed_figures_id = ? AND kind = ? AND ended_at IS NULL ORDER BY row',
  ).all(closedFigures, kind);
}

export function addSignOffChange(
  db: WritableDb,
  closedFigures: number,
  signOffChanges: NewSignOffChange,
): void {
  prepared(
    db,
    `INSERT INTO sign_off_change (closed_figures_id, kind, row, change, text, fields, amount_in_cents, currency, detected_at, detected_by,
       detected_job, posted_in, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    closedFigures,
    signOffChanges.kind,
    signOffChanges.row,
    signOffChanges.change,
    signOffChanges.text,
    JSON.stringify(signOffChanges.fields),
    signOffChanges.amount_in_cents,
    signOffChanges.currency,
    signOffChanges.detected_at,
    signOffChanges.detected_by,
    signOffChanges.detected_job,
    signOffChanges.posted_in,
    signOffChanges.digest,
  );
}

/** Ends a recorded change: the row is as signed again (`reverted`) or has changed once more (`superseded`). */
export function endSignOffChange(
  db: WritableDb,
  id: number,
  at: number,
  reason: 'reverted' | 'superseded',
): void {
  prepared(db, 'UPDATE sign_off_change SET ended_at = ?, ended_reason = ? WHERE id = ?').run(at, reason, id);
}

/** Ends all recorded changes of closed figures whose period was reopened. */
export function endSignOffChangesOf(db: WritableDb, closedFigures: number, at: number): void {
  prepared(
    db,
    "UPDATE sign_off_change SET ended_at = ?, ended_reason = 'reopened' WHERE closed_figures_id = ? AND ended_at IS NULL",
  ).run(at, closedFigures);
}

/** Returns late rows that are not recorded yet for the closed figures of their date. */
export function unnotedLate(db: ReadableDb): {
  closedFigures: number;
  kind: 'line' | 'payment' | 'payout' | 'exception';
  id: number;
  original_on: string;
}[] {
  return prepared<{
    closedFigures: number;
    kind: 'line' | 'payment' | 'payout' | 'exception';
    id: number;
    original_on: string;
  }>(
    db,
    `SELECT closed_figures.id AS closedFigures, late.kind, late.id, original_on FROM late_row AS late
       JOIN closed_figures ON original_on BETWEEN coalesce(from_on, '') AND until_on
       JOIN period ON period.id = period_id AND state = 'closed' AND period.version = closed_figures.version
     WHERE NOT EXISTS (SELECT 1 FROM sign_off_change WHERE closed_figures_id = closed_figures.id AND sign_off_change.kind = late.kind
       AND row = late.id AND ended_at IS NULL)
     ORDER BY late.kind, late.id`,
  ).all();
}

/** Returns recorded late rows that no longer are late, for example because their import was removed. */
export function lateNoMore(db: ReadableDb): number[] {
  return prepared<number>(
    db,
    `SELECT id FROM sign_off_change WHERE ended_at IS NULL AND change = 'added' AND kind IN ('line', 'payment', 'payout', 'exception')
       AND NOT EXISTS (SELECT 1 FROM late_row WHERE late_row.kind = sign_off_change.kind AND late_row.id = row)`,
  )
    .pluck()
    .all();
}

/** Returns the mark up to which a kind was compared with the closed figures. 0 before the first comparison. */
export function watchMark(db: ReadableDb, source: 'statement' | 'exception'): number {
  return (
    prepared<number>(db, 'SELECT watermark FROM change_watermark WHERE source = ?').pluck().get(source) ?? 0
  );
}

export function saveWatchMark(db: WritableDb, source: 'statement' | 'exception', watermark: number): void {
  prepared(
    db,
    'INSERT INTO change_watermark VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET watermark = excluded.watermark',
  ).run(source, watermark);
}

/**
 * Returns the sum of recorded changes per closed figures and currency. Rows without an amount, for example exceptions,
 * count as 0.
 */
export function signOffChangeSums(
  db: ReadableDb,
  closedFigures: number,
): { count: number; sums: { currency: string; amount_in_cents: number }[] } {
  const sums = prepared<{ currency: string; count: number; amount_in_cents: number }>(
    db,
    `SELECT currency, count(*) AS count, sum(amount_in_cents) AS amount_in_cents FROM sign_off_change
     WHERE closed_figures_id = ? AND ended_at IS NULL GROUP BY currency ORDER BY currency`,
  ).all(closedFigures);
  return {
    count: sums.reduce((all, { count }) => all + count, 0),
    sums: sums.map(({ currency, amount_in_cents }) => ({ currency, amount_in_cents })),
  };
}

const order: Order = { name: 'changes', columns: [{ name: 'id', type: 'number' }], direction: 'desc' };

export interface SignOffChangeQuery {
  period?: string | undefined;
  filter: SignOffChangeFilter;
  after?: string | undefined;
  limit: number;
}

/** Lists the changes, newest first. */
export function listSignOffChanges(
  db: ReadableDb,
  query: SignOffChangeQuery,
): Outputs['periods']['signOffChanges'] {
  const branches = [branchOf(query)];
  const { keys, next } = readPage(db, { order, groups: [{ lead: [], branches }], edge: null }, query);
  const isFirst = query.after === undefined;
  return {
    rows: keys.map(([id]) => signOffChangesOf(db, Number(id))),
    next,
    total: isFirst ? { count: countRows(db, branches), exact: true } : null,
    sums: isFirst ? sumsOf(db, branches[0]!) : null,
  };
}

function branchOf({ period, filter: { kind, change, ended } }: SignOffChangeQuery): Branch {
  const where: string[] = [];
  const bound: Values = [];
  if (period !== undefined) {
    where.push(
      'closed_figures_id IN (SELECT closed_figures.id FROM closed_figures JOIN period ON period.id = period_id WHERE period = ?)',
    );
    bound.push(period);
  }
  for (const [column, values] of [
    ['kind', kind],
    ['change', change],
  ] as const) {
    if (values === undefined) continue;
    where.push(`${column} IN (SELECT value FROM json_each(?))`);
    bound.push(JSON.stringify(values));
  }
  if (ended !== true) where.push('ended_at IS NULL');
  return { from: 'sign_off_change', where, bound };
}

function sumsOf(
  db: ReadableDb,
  { where, bound }: Branch,
): NonNullable<Outputs['periods']['signOffChanges']['sums']> {
  return db
    .prepare<Values, { kind: ClosedRowKind; currency: string; count: number; amount_in_cents: number }>(
      `SELECT kind, currency, count(*) AS count, sum(amount_in_cents) AS amount_in_cents FROM sign_off_change
       WHERE ${[...where, 'ended_at IS NULL'].join(' AND ')} GROUP BY kind, currency ORDER BY kind, currency`,
    )
    .all(...bound);
}

/** Yields the recorded changes that still exist, in the order of detection. */
export function* countCurrentSignOffChanges(
  db: ReadableDb,
  closedFigures: number,
): Generator<SignOffChange, void, undefined> {
  const ids = prepared<number>(
    db,
    'SELECT id FROM sign_off_change WHERE closed_figures_id = ? AND ended_at IS NULL ORDER BY id',
  ).pluck();
  for (const id of ids.all(closedFigures)) yield signOffChangesOf(db, id);
}

interface StoredSignOffChange
  extends Omit<SignOffChange, 'fields' | 'detected_at' | 'detected_by' | 'ended'> {
  fields: string;
  detected_at: number;
  detected_by: string;
  detected_job: string | null;
  ended_at: number | null;
  ended_reason: NonNullable<SignOffChange['ended']>['reason'];
}

function signOffChangesOf(db: ReadableDb, id: number): SignOffChange {
  const { fields, detected_at, detected_by, detected_job, ended_at, ended_reason, ...rest } =
    prepared<StoredSignOffChange>(
      db,
      `SELECT sign_off_change.id, period, closed_figures.version, kind, row, change, text, fields, amount_in_cents, currency, detected_at,
       detected_by, detected_job, posted_in, ended_at, ended_reason
     FROM sign_off_change JOIN closed_figures ON closed_figures.id = closed_figures_id JOIN period ON period.id = period_id
     WHERE sign_off_change.id = ?`,
    ).get(id)!;
  return {
    ...rest,
    fields: JSON.parse(fields) as SignOffChange['fields'],
    detected_at: formatTimestamp(detected_at),
    detected_by: { action: detected_by, job: detected_job },
    ended: ended_at === null ? null : { at: formatTimestamp(ended_at), reason: ended_reason },
  };
}
