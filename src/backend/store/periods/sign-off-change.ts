import type {
  ClosedFiguresRowKind,
  ContractOutputs,
  SignOffChange,
  SignOffChangeFilter,
} from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import {
  type IndexScan,
  orderByColumn,
  type PageRequest,
  planListScans,
  readRowPage,
} from '../lists/keyset-pagination.ts';
import { joinConditions, whereIf, whereIn } from '../lists/sql-conditions.ts';
import {
  prepareSql,
  type ReadableDb,
  type SqlValues,
  select,
  type WritableDb,
} from '../sqlite/connection.ts';
import { insertRow, pickColumns } from '../sqlite/write-row.ts';
import { getRecordsReadTime } from './closed-figures.ts';

export interface NewSignOffChange
  extends Pick<SignOffChange, 'change' | 'text' | 'fields' | 'amount_in_cents' | 'currency' | 'posted_in'> {
  kind: ClosedFiguresRowKind;
  row: number;
  /** Size of the change in cents, regardless of its direction. Null if it is unknown. */
  absolute_in_cents: number | null;
  /** Time of detection in UTC milliseconds. */
  detected_at: number;
  detected_by: string;
  detected_job: string | null;
  /** Digest of the row when the change was detected. */
  digest: string;
}

/** Returns a row's recorded change since sign-off that still applies, or null if there is none. */
export function findCurrentSignOffChange(
  db: ReadableDb,
  closedFigures: number,
  kind: ClosedFiguresRowKind,
  row: number,
): { id: number; digest: string } | null {
  const sql =
    'SELECT id, digest FROM sign_off_change WHERE closed_figures_id = ? AND kind = ? AND row = ? AND ended_at IS NULL';
  return select.row<{ id: number; digest: string }>(db, sql, closedFigures, kind, row);
}

/** Returns the rows of a kind that have a recorded change since sign-off. */
export function listRowsChangedSinceSignOff(
  db: ReadableDb,
  closedFigures: number,
  kind: ClosedFiguresRowKind,
): { id: number; row: number; change: string }[] {
  const sql =
    'SELECT id, row, change FROM sign_off_change WHERE closed_figures_id = ? AND kind = ? AND ended_at IS NULL ORDER BY row';
  return select.rows<{ id: number; row: number; change: string }>(db, sql, closedFigures, kind);
}

export function addSignOffChange(db: WritableDb, closedFigures: number, change: NewSignOffChange): void {
  const columns = [
    ...(['kind', 'row', 'change', 'text', 'amount_in_cents', 'currency', 'detected_at'] as const),
    ...(['detected_by', 'detected_job', 'posted_in', 'digest', 'absolute_in_cents'] as const),
  ];
  const row = { ...pickColumns(change, columns), fields: JSON.stringify(change.fields) };
  insertRow(db, 'sign_off_change', { closed_figures_id: closedFigures, ...row });
}

/**
 * Ends a change since sign-off. `reverted` means that the row equals the closed row again, `superseded` that it has
 * changed again.
 */
export function endSignOffChange(
  db: WritableDb,
  id: number,
  at: number,
  reason: 'reverted' | 'superseded',
): void {
  prepareSql(db, 'UPDATE sign_off_change SET ended_at = ?, ended_reason = ? WHERE id = ?').run(
    at,
    reason,
    id,
  );
}

/** Ends all changes since sign-off of closed figures, because the period was reopened. */
export function endAllSignOffChanges(db: WritableDb, closedFigures: number, at: number): void {
  const sql =
    "UPDATE sign_off_change SET ended_at = ?, ended_reason = 'reopened' WHERE closed_figures_id = ? AND ended_at IS NULL";
  prepareSql(db, sql).run(at, closedFigures);
}

/** Returns late rows that are not yet recorded as changes since sign-off of the period in which they are dated. */
export function listUnrecordedLateRows(db: ReadableDb): {
  closedFigures: number;
  kind: 'line' | 'payment' | 'payout' | 'exception';
  id: number;
  original_on: string;
}[] {
  const sql = `SELECT closed_figures.id AS closedFigures, late.kind, late.id, original_on FROM late_row AS late
       JOIN closed_figures ON original_on BETWEEN coalesce(from_on, '') AND until_on
       JOIN period ON period.id = period_id AND state = 'closed' AND period.version = closed_figures.version
     WHERE NOT EXISTS (SELECT 1 FROM sign_off_change WHERE closed_figures_id = closed_figures.id AND sign_off_change.kind = late.kind
       AND row = late.id AND ended_at IS NULL)
     ORDER BY late.kind, late.id`;
  return select.rows<{
    closedFigures: number;
    kind: 'line' | 'payment' | 'payout' | 'exception';
    id: number;
    original_on: string;
  }>(db, sql);
}

/** Returns recorded changes whose row is no longer late, for example because its import was removed. */
export function listResolvedLateRows(db: ReadableDb): number[] {
  const sql = `SELECT id FROM sign_off_change WHERE ended_at IS NULL AND change = 'added' AND kind IN ('line', 'payment', 'payout', 'exception')
       AND NOT EXISTS (SELECT 1 FROM late_row WHERE late_row.kind = sign_off_change.kind AND late_row.id = row)`;
  return select.values<number>(db, sql);
}

/** Returns the watermark up to which records of a kind were compared with the closed figures, or 0 if never. */
export function getSignOffWatermark(db: ReadableDb, source: 'statement' | 'exception'): number {
  return select.value<number>(db, 'SELECT watermark FROM change_watermark WHERE source = ?', source) ?? 0;
}

export function saveSignOffWatermark(
  db: WritableDb,
  source: 'statement' | 'exception',
  watermark: number,
): void {
  const sql =
    'INSERT INTO change_watermark VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET watermark = excluded.watermark';
  prepareSql(db, sql).run(source, watermark);
}

/**
 * Returns the number of changes since sign-off and their sums by currency. Rows without an amount count as 0. `unsized` is the
 * number of changes whose size is unknown, which the absolute sums leave out.
 */
export function sumSignOffChanges(
  db: ReadableDb,
  closedFigures: number,
): {
  count: number;
  unsized: number;
  sums: { currency: string; amount_in_cents: number; absolute_in_cents: number }[];
} {
  const sql = `SELECT currency, count(*) AS count, sum(amount_in_cents) AS amount_in_cents,
     coalesce(sum(absolute_in_cents), 0) AS absolute_in_cents, count(*) - count(absolute_in_cents) AS unsized
     FROM sign_off_change WHERE closed_figures_id = ? AND ended_at IS NULL GROUP BY currency ORDER BY currency`;
  const sums = select.rows<{
    currency: string;
    count: number;
    amount_in_cents: number;
    absolute_in_cents: number;
    unsized: number;
  }>(db, sql, closedFigures);
  return {
    count: sums.reduce((all, { count }) => all + count, 0),
    unsized: sums.reduce((all, { unsized }) => all + unsized, 0),
    sums: sums.map(({ count: _count, unsized: _unsized, ...sum }) => sum),
  };
}

export interface SignOffChangeQuery extends PageRequest {
  period?: string | undefined;
  filter: SignOffChangeFilter;
}

/** Lists the changes since sign-off, newest first. */
export function listSignOffChanges(
  db: ReadableDb,
  query: SignOffChangeQuery,
): ContractOutputs['periods']['signOffChanges'] {
  const scan = getSignOffChangeScan(query);
  const plan = planListScans(orderByColumn('changes', 'id', 'desc'), [scan]);
  const page = readRowPage(db, plan, query, ([id]) => getSignOffChange(db, Number(id)));
  return {
    ...page,
    sums: page.total === null ? null : sumByKind(db, scan),
    records_read_at: formatTimestamp(getRecordsReadTime(db, query.period)),
  };
}

function getSignOffChangeScan({ period, filter: { kind, change, ended } }: SignOffChangeQuery): IndexScan {
  const ofPeriod =
    'closed_figures_id IN (SELECT closed_figures.id FROM closed_figures JOIN period ON period.id = period_id WHERE period = ?)';
  const conditions = joinConditions(
    whereIf(ofPeriod, period),
    whereIn('kind', kind),
    whereIn('change', change),
    ...(ended === true ? [] : [whereIf('ended_at IS NULL')]),
  );
  return { from: 'sign_off_change', ...conditions };
}

function sumByKind(
  db: ReadableDb,
  { where, bound }: IndexScan,
): NonNullable<ContractOutputs['periods']['signOffChanges']['sums']> {
  return db
    .prepare<
      SqlValues,
      { kind: ClosedFiguresRowKind; currency: string; count: number; amount_in_cents: number }
    >(
      `SELECT kind, currency, count(*) AS count, sum(amount_in_cents) AS amount_in_cents FROM sign_off_change
       WHERE ${[...where, 'ended_at IS NULL'].join(' AND ')} GROUP BY kind, currency ORDER BY kind, currency`,
    )
    .all(...bound);
}

/** Yields the changes since sign-off that still apply, in the order of detection. */
export function* readCurrentSignOffChanges(
  db: ReadableDb,
  closedFigures: number,
): Generator<SignOffChange, void, undefined> {
  const sql = 'SELECT id FROM sign_off_change WHERE closed_figures_id = ? AND ended_at IS NULL ORDER BY id';
  const ids = prepareSql<number>(db, sql).pluck();
  for (const id of ids.all(closedFigures)) yield getSignOffChange(db, id);
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

function getSignOffChange(db: ReadableDb, id: number): SignOffChange {
  const sql = `SELECT sign_off_change.id, period, closed_figures.version, kind, row, change, text, fields, amount_in_cents, currency, detected_at,
       detected_by, detected_job, posted_in, ended_at, ended_reason
     FROM sign_off_change JOIN closed_figures ON closed_figures.id = closed_figures_id JOIN period ON period.id = period_id
     WHERE sign_off_change.id = ?`;
  const { fields, detected_at, detected_by, detected_job, ended_at, ended_reason, ...rest } =
    select.row<StoredSignOffChange>(db, sql, id)!;
  return {
    ...rest,
    fields: JSON.parse(fields) as SignOffChange['fields'],
    detected_at: formatTimestamp(detected_at),
    detected_by: { action: detected_by, job: detected_job },
    ended: ended_at === null ? null : { at: formatTimestamp(ended_at), reason: ended_reason },
  };
}
