import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';

/** Closed figures of a period. `content` and `sha256` are null until all rows are stored. */
export interface StoredClosedFigures {
  id: number;
  period_id: number;
  version: number;
  from_on: string | null;
  until_on: string;
  /** Time of the closing in UTC milliseconds. */
  closed_at: number;
  figures: string;
  content: string | null;
  sha256: string | null;
  reopened_at: number | null;
  compared_at: number | null;
  /** Start of the latest sync that read every statement of the period again (UTC milliseconds). Null if none did. */
  records_read_at: number | null;
}

const columns = `closed_figures.id, period_id, closed_figures.version, from_on, until_on, closed_at, figures, content, sha256, reopened_at,
  compared_at, records_read_at`;

export type NewClosedFigures = Omit<
  StoredClosedFigures,
  'id' | 'content' | 'sha256' | 'reopened_at' | 'compared_at' | 'records_read_at'
> & { signed: string };

/** Starts storing closed figures and returns their id. They take effect only with `finishClosedFigures`. */
export function beginClosedFigures(db: WritableDb, closedFigures: NewClosedFigures): number {
  const { period_id, version, from_on, until_on, closed_at, figures, signed } = closedFigures;
  const row = { period_id, version, from_on, until_on, closed_at, figures, signed };
  return insertRow(db, 'closed_figures', row);
}

/** Completes closed figures. They cannot be changed afterward. */
export function finishClosedFigures(db: WritableDb, id: number, content: string, sha256: string): void {
  prepareSql(db, 'UPDATE closed_figures SET content = ?, sha256 = ? WHERE id = ?').run(content, sha256, id);
}

/** Deletes closed figures that were never completed. */
export function deleteUnfinishedClosedFigures(db: WritableDb): void {
  prepareSql(db, 'DELETE FROM closed_figures WHERE content IS NULL').run();
}

export function recordReopening(db: WritableDb, id: number, at: number): void {
  prepareSql(db, 'UPDATE closed_figures SET reopened_at = ? WHERE id = ?').run(at, id);
}

export function markClosedFiguresCompared(db: WritableDb, id: number, at: number): void {
  prepareSql(db, 'UPDATE closed_figures SET compared_at = ? WHERE id = ?').run(at, id);
}

/** Records that a sync started at `at` (UTC milliseconds) has read every statement of closed figures again. */
export function markClosedFiguresRead(db: WritableDb, id: number, at: number): void {
  prepareSql(db, 'UPDATE closed_figures SET records_read_at = ? WHERE id = ?').run(at, id);
}

/**
 * Returns the time up to which the service's changes to statements of closed periods are known (UTC milliseconds).
 * Returns null if the statements have not been read again since a closing. Without `period`, covers all closed periods.
 */
export function getRecordsReadTime(db: ReadableDb, period?: string): number | null {
  const times = listClosedFiguresInForce(db)
    .filter((each) => period === undefined || each.period === period)
    .map(({ records_read_at }) => records_read_at ?? 0);
  const oldest = times.length === 0 ? 0 : Math.min(...times);
  return oldest === 0 ? null : oldest;
}

/** Returns the closed figures of all closed periods, one version per period, earliest first. */
export function listClosedFiguresInForce(db: ReadableDb): (StoredClosedFigures & { period: string })[] {
  const sql = `SELECT ${columns}, period FROM period JOIN closed_figures ON period_id = period.id AND closed_figures.version = period.version
     WHERE state = 'closed' ORDER BY until_on`;
  return select.rows<StoredClosedFigures & { period: string }>(db, sql);
}

/** Returns one version of a period's closed figures, by default the latest. Null if there is none. */
export function findClosedFigures(
  db: ReadableDb,
  period: number,
  version?: number,
): StoredClosedFigures | null {
  const sql = `SELECT ${columns} FROM closed_figures WHERE period_id = ? AND content IS NOT NULL AND version = coalesce(?, version)
       ORDER BY version DESC LIMIT 1`;
  return select.row<StoredClosedFigures>(db, sql, period, version ?? null);
}

/** Returns the content of closed figures exactly as it was signed. */
export function getSignedOffFigures(db: ReadableDb, closedFigures: number): string {
  return select.value<string>(db, 'SELECT signed FROM closed_figures WHERE id = ?', closedFigures) ?? '';
}

/** Consecutive closed rows of one kind, stored together. All ids are below the first id of the next chunk. */
export interface ClosedRowChunk {
  first_row: number;
  count: number;
  sha256: string;
}

/** Stores a chunk of closed rows. `content` is the deflated text, and `sha256` is the checksum of the original text. */
export function addClosedRowChunk(
  db: WritableDb,
  closedFigures: number,
  kind: string,
  { first_row, count, sha256, content }: ClosedRowChunkContent,
): void {
  const row = { closed_figures_id: closedFigures, kind, first_row, count, sha256, content };
  insertRow(db, 'closed_figures_chunk', row);
}

export function listClosedRowChunks(db: ReadableDb, closedFigures: number, kind: string): ClosedRowChunk[] {
  const sql =
    'SELECT first_row, count, sha256 FROM closed_figures_chunk WHERE closed_figures_id = ? AND kind = ? ORDER BY first_row';
  return select.rows<ClosedRowChunk>(db, sql, closedFigures, kind);
}

/** A chunk with its deflated rows and the expected checksum of their text. */
export interface ClosedRowChunkContent extends ClosedRowChunk {
  content: Buffer;
}

/** Returns the chunk whose id range includes a row, or null if the row precedes all chunks. */
export function findClosedRowChunk(
  db: ReadableDb,
  closedFigures: number,
  kind: string,
  row: number,
): ClosedRowChunkContent | null {
  const sql = `SELECT first_row, count, sha256, content FROM closed_figures_chunk WHERE closed_figures_id = ? AND kind = ? AND first_row <= ?
       ORDER BY first_row DESC LIMIT 1`;
  return select.row<ClosedRowChunkContent>(db, sql, closedFigures, kind, row);
}

/**
 * Yields the closed row chunks of a kind and of its parts, in the order stored. A part has the name of its kind, a space
 * and its own name, for example `parts S1.charges USD`.
 */
export function* readClosedRowChunks(
  db: ReadableDb,
  closedFigures: number,
  kind: string,
): Generator<ClosedRowChunkContent, void, undefined> {
  const idsSql = `SELECT id FROM closed_figures_chunk WHERE closed_figures_id = ?
    AND (kind = ? OR substr(kind, 1, length(?) + 1) = ? || ' ') ORDER BY id`;
  const ids = select.values<number>(db, idsSql, closedFigures, kind, kind, kind);
  const chunkSql = 'SELECT first_row, count, sha256, content FROM closed_figures_chunk WHERE id = ?';
  const chunk = prepareSql<ClosedRowChunkContent>(db, chunkSql);
  for (const id of ids) yield chunk.get(id)!;
}

/** Returns the checksum that the audit log recorded for a period's closing, or null if it has no such entry. */
export function findAuditedClosingChecksum(db: ReadableDb, period: string, version: number): string | null {
  const sql = `SELECT detail ->> 'closed_figures_sha256' FROM audit
       WHERE action = 'periods.close' AND subject = ? AND detail ->> 'version' = ? ORDER BY seq DESC LIMIT 1`;
  return select.value<string>(db, sql, period, version);
}
