import type { DriftFilter, DriftRow, Outputs, SealedKind } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type Values, type WritableDb } from '../database.ts';
import { type Branch, countRows, type Order, readPage } from '../keyset.ts';
import { isoMoment } from '../moment.ts';

export interface NewDrift
  extends Pick<DriftRow, 'what' | 'text' | 'fields' | 'amount_in_cents' | 'currency' | 'lands_in'> {
  kind: SealedKind;
  row: number;
  /** ms UTC. */
  noticed_at: number;
  noticed_what: string;
  noticed_job: string | null;
  /** Of the row as it was found. */
  digest: string;
}

/** What stands of a row’s drift; null where it is as signed, as far as is known. */
export function liveDrift(
  db: ReadableDb,
  seal: number,
  kind: SealedKind,
  row: number,
): { id: number; digest: string } | null {
  return (
    prepared<{ id: number; digest: string }>(
      db,
      'SELECT id, digest FROM period_drift WHERE seal_id = ? AND kind = ? AND row = ? AND ended_at IS NULL',
    ).get(seal, kind, row) ?? null
  );
}

/** The rows of a kind whose drift stands; `what` alone, where it is given. */
export function driftingRows(
  db: ReadableDb,
  seal: number,
  kind: SealedKind,
): { id: number; row: number; what: string }[] {
  return prepared<{ id: number; row: number; what: string }>(
    db,
    'SELECT id, row, what FROM period_drift WHERE seal_id = ? AND kind = ? AND ended_at IS NULL ORDER BY row',
  ).all(seal, kind);
}

export function addDrift(db: WritableDb, seal: number, drift: NewDrift): void {
  prepared(
    db,
    `INSERT INTO period_drift (seal_id, kind, row, what, text, fields, amount_in_cents, currency, noticed_at, noticed_what,
       noticed_job, lands_in, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    seal,
    drift.kind,
    drift.row,
    drift.what,
    drift.text,
    JSON.stringify(drift.fields),
    drift.amount_in_cents,
    drift.currency,
    drift.noticed_at,
    drift.noticed_what,
    drift.noticed_job,
    drift.lands_in,
    drift.digest,
  );
}

/** Ends one change: the row is as signed again (`back`), or was changed once more (`again`). */
export function endDrift(db: WritableDb, id: number, at: number, how: 'back' | 'again'): void {
  prepared(db, 'UPDATE period_drift SET ended_at = ?, ended_how = ? WHERE id = ?').run(at, how, id);
}

/** Ends all that stands of a seal, as its period was reopened. */
export function endDriftOf(db: WritableDb, seal: number, at: number): void {
  prepared(
    db,
    "UPDATE period_drift SET ended_at = ?, ended_how = 'reopened' WHERE seal_id = ? AND ended_at IS NULL",
  ).run(at, seal);
}

/** Rows that came late, of which nothing is noted under the seal of the days they are dated in. */
export function unnotedLate(
  db: ReadableDb,
): { seal: number; kind: 'line' | 'payment' | 'payout' | 'exception'; id: number; natural_on: string }[] {
  return prepared<{
    seal: number;
    kind: 'line' | 'payment' | 'payout' | 'exception';
    id: number;
    natural_on: string;
  }>(
    db,
    `SELECT period_seal.id AS seal, late.kind, late.id, natural_on FROM period_late AS late
       JOIN period_seal ON natural_on BETWEEN coalesce(from_on, '') AND until_on
       JOIN period ON period.id = period_id AND state = 'closed' AND period.version = period_seal.version
     WHERE NOT EXISTS (SELECT 1 FROM period_drift WHERE seal_id = period_seal.id AND period_drift.kind = late.kind
       AND row = late.id AND ended_at IS NULL)
     ORDER BY late.kind, late.id`,
  ).all();
}

/** What stands as late of rows that are not late any more: their import was taken back, say. */
export function lateNoMore(db: ReadableDb): number[] {
  return prepared<number>(
    db,
    `SELECT id FROM period_drift WHERE ended_at IS NULL AND what = 'added' AND kind IN ('line', 'payment', 'payout', 'exception')
       AND NOT EXISTS (SELECT 1 FROM period_late WHERE period_late.kind = period_drift.kind AND period_late.id = row)`,
  )
    .pluck()
    .all();
}

/** The mark up to which a kind was held against the seals; 0 before the first time. */
export function watchMark(db: ReadableDb, what: 'statement' | 'exception'): number {
  return prepared<number>(db, 'SELECT mark FROM period_watch WHERE what = ?').pluck().get(what) ?? 0;
}

export function saveWatchMark(db: WritableDb, what: 'statement' | 'exception', mark: number): void {
  prepared(
    db,
    'INSERT INTO period_watch VALUES (?, ?) ON CONFLICT (what) DO UPDATE SET mark = excluded.mark',
  ).run(what, mark);
}

/** How much drift stands under each seal, by currency; exceptions and such, which are no money, count with 0. */
export function driftSums(
  db: ReadableDb,
  seal: number,
): { count: number; sums: { currency: string; amount_in_cents: number }[] } {
  const sums = prepared<{ currency: string; count: number; amount_in_cents: number }>(
    db,
    `SELECT currency, count(*) AS count, sum(amount_in_cents) AS amount_in_cents FROM period_drift
     WHERE seal_id = ? AND ended_at IS NULL GROUP BY currency ORDER BY currency`,
  ).all(seal);
  return {
    count: sums.reduce((all, { count }) => all + count, 0),
    sums: sums.map(({ currency, amount_in_cents }) => ({ currency, amount_in_cents })),
  };
}

const order: Order = { name: 'drift', columns: [{ name: 'id', type: 'number' }], direction: 'desc' };

export interface DriftQuery {
  period?: string | undefined;
  filter: DriftFilter;
  after?: string | undefined;
  limit: number;
}

/** The newest first. */
export function listDrift(db: ReadableDb, query: DriftQuery): Outputs['periods']['drift'] {
  const branches = [branchOf(query)];
  const { keys, next } = readPage(db, { order, groups: [{ lead: [], branches }], edge: null }, query);
  const isFirst = query.after === undefined;
  return {
    rows: keys.map(([id]) => driftOf(db, Number(id))),
    next,
    total: isFirst ? { count: countRows(db, branches), exact: true } : null,
    sums: isFirst ? sumsOf(db, branches[0]!) : null,
  };
}

function branchOf({ period, filter: { kind, what, ended } }: DriftQuery): Branch {
  const where: string[] = [];
  const bound: Values = [];
  if (period !== undefined) {
    where.push(
      'seal_id IN (SELECT period_seal.id FROM period_seal JOIN period ON period.id = period_id WHERE period = ?)',
    );
    bound.push(period);
  }
  for (const [column, values] of [
    ['kind', kind],
    ['what', what],
  ] as const) {
    if (values === undefined) continue;
    where.push(`${column} IN (SELECT value FROM json_each(?))`);
    bound.push(JSON.stringify(values));
  }
  if (ended !== true) where.push('ended_at IS NULL');
  return { from: 'period_drift', where, bound };
}

function sumsOf(db: ReadableDb, { where, bound }: Branch): NonNullable<Outputs['periods']['drift']['sums']> {
  return db
    .prepare<Values, { kind: SealedKind; currency: string; count: number; amount_in_cents: number }>(
      `SELECT kind, currency, count(*) AS count, sum(amount_in_cents) AS amount_in_cents FROM period_drift
       WHERE ${[...where, 'ended_at IS NULL'].join(' AND ')} GROUP BY kind, currency ORDER BY kind, currency`,
    )
    .all(...bound);
}

/** What is otherwise than it was sealed and still stands, in the order in which it was noticed. */
export function* standingDrift(db: ReadableDb, seal: number): Generator<DriftRow, void, undefined> {
  const ids = prepared<number>(
    db,
    'SELECT id FROM period_drift WHERE seal_id = ? AND ended_at IS NULL ORDER BY id',
  ).pluck();
  for (const id of ids.all(seal)) yield driftOf(db, id);
}

interface StoredDrift extends Omit<DriftRow, 'fields' | 'noticed_at' | 'noticed_by' | 'ended'> {
  fields: string;
  noticed_at: number;
  noticed_what: string;
  noticed_job: string | null;
  ended_at: number | null;
  ended_how: NonNullable<DriftRow['ended']>['how'];
}

function driftOf(db: ReadableDb, id: number): DriftRow {
  const { fields, noticed_at, noticed_what, noticed_job, ended_at, ended_how, ...rest } =
    prepared<StoredDrift>(
      db,
      `SELECT period_drift.id, period, period_seal.version, kind, row, what, text, fields, amount_in_cents, currency, noticed_at,
       noticed_what, noticed_job, lands_in, ended_at, ended_how
     FROM period_drift JOIN period_seal ON period_seal.id = seal_id JOIN period ON period.id = period_id
     WHERE period_drift.id = ?`,
    ).get(id)!;
  return {
    ...rest,
    fields: JSON.parse(fields) as DriftRow['fields'],
    noticed_at: isoMoment(noticed_at),
    noticed_by: { what: noticed_what, job: noticed_job },
    ended: ended_at === null ? null : { at: isoMoment(ended_at), how: ended_how },
  };
}
