import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';

/** The closed figures of a sign-off. `content` and `sha256` are null while they are being stored. */
export interface StoredClosedFigures {
  id: number;
  period_id: number;
  version: number;
  from_on: string | null;
  until_on: string;
  /** UTC milliseconds. */
  closed_at: number;
  figures: string;
  content: string | null;
  sha256: string | null;
  reopened_at: number | null;
  compared_at: number | null;
}

const columns = `closed_figures.id, period_id, closed_figures.version, from_on, until_on, closed_at, figures, content, sha256, reopened_at,
  compared_at`;

export type NewClosedFigures = Omit<
  StoredClosedFigures,
  'id' | 'content' | 'sha256' | 'reopened_at' | 'compared_at'
> & { signed: string };

/** Starts closed figures. Chunks and items follow, and nothing is in force before `finishClosedFigures`. Returns the id. */
export function beginClosedFigures(db: WritableDb, closedFigures: NewClosedFigures): number {
  const { period_id, version, from_on, until_on, closed_at, figures, signed } = closedFigures;
  const row = { period_id, version, from_on, until_on, closed_at, figures, signed };
  return insertRow(db, 'closed_figures', row);
}

/** Completes the closed figures. From then on they cannot be changed. */
export function finishClosedFigures(db: WritableDb, id: number, content: string, sha256: string): void {
  prepare(db, 'UPDATE closed_figures SET content = ?, sha256 = ? WHERE id = ?').run(content, sha256, id);
}

/** Deletes closed figures that were never completed. */
export function deleteUnfinishedClosedFigures(db: WritableDb): void {
  prepare(db, 'DELETE FROM closed_figures WHERE content IS NULL').run();
}

export function markClosedFiguresReopened(db: WritableDb, id: number, at: number): void {
  prepare(db, 'UPDATE closed_figures SET reopened_at = ? WHERE id = ?').run(at, id);
}

export function markClosedFiguresCompared(db: WritableDb, id: number, at: number): void {
  prepare(db, 'UPDATE closed_figures SET compared_at = ? WHERE id = ?').run(at, id);
}

/** Returns the closed figures in force, one per closed period, earliest first. */
export function listClosedFiguresInForce(db: ReadableDb): (StoredClosedFigures & { period: string })[] {
  const sql = `SELECT ${columns}, period FROM period JOIN closed_figures ON period_id = period.id AND closed_figures.version = period.version
     WHERE state = 'closed' ORDER BY until_on`;
  return select.rows<StoredClosedFigures & { period: string }>(db, sql);
}

/** Returns the closed figures of a period by version, by default the latest, or null. */
export function findClosedFigures(
  db: ReadableDb,
  period: number,
  version?: number,
): StoredClosedFigures | null {
  const sql = `SELECT ${columns} FROM closed_figures WHERE period_id = ? AND content IS NOT NULL AND version = coalesce(?, version)
       ORDER BY version DESC LIMIT 1`;
  return select.row<StoredClosedFigures>(db, sql, period, version ?? null);
}

/** Returns the figures exactly as signed. */
export function getSignedFigures(db: ReadableDb, closedFigures: number): string {
  return select.value<string>(db, 'SELECT signed FROM closed_figures WHERE id = ?', closedFigures) ?? '';
}

/** Consecutive closed rows of a kind, stored together. All ids are below the first one of the next chunk. */
export interface ClosedRowChunk {
  first_row: number;
  count: number;
  sha256: string;
}

/** Stores a chunk of closed rows. `content` is their deflated text, `sha256` the checksum of the text itself. */
export function addClosedRowChunk(
  db: WritableDb,
  closedFigures: number,
  kind: string,
  { first_row, count, sha256, content }: ClosedRowChunkContent,
): void {
  const row = { closed_figures_id: closedFigures, kind, first_row, count, sha256, content };
  insertRow(db, 'closed_figures_chunk', row);
}

/** Returns the chunks of a kind in order. */
export function listClosedRowChunks(db: ReadableDb, closedFigures: number, kind: string): ClosedRowChunk[] {
  const sql =
    'SELECT first_row, count, sha256 FROM closed_figures_chunk WHERE closed_figures_id = ? AND kind = ? ORDER BY first_row';
  return select.rows<ClosedRowChunk>(db, sql, closedFigures, kind);
}

/** The deflated rows of a chunk and the expected checksum of their text. */
export interface ClosedRowChunkContent extends ClosedRowChunk {
  content: Buffer;
}

/** Returns the chunk that contains a row, or would contain it. Null before the first. */
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

/** Yields the chunks of all kinds whose names have a prefix, in the order stored. */
export function* readChunksByPrefix(
  db: ReadableDb,
  closedFigures: number,
  prefix: string,
): Generator<ClosedRowChunkContent, void, undefined> {
  const idsSql =
    'SELECT id FROM closed_figures_chunk WHERE closed_figures_id = ? AND substr(kind, 1, length(?)) = ? ORDER BY id';
  const ids = select.values<number>(db, idsSql, closedFigures, prefix, prefix);
  const chunkSql = 'SELECT first_row, count, sha256, content FROM closed_figures_chunk WHERE id = ?';
  const chunk = prepare<ClosedRowChunkContent>(db, chunkSql);
  for (const id of ids) yield chunk.get(id)!;
}

/** Returns the checksum that the audit log names for a closing, or null if it has no such entry. */
export function findRecordedChecksum(db: ReadableDb, period: string, version: number): string | null {
  const sql = `SELECT detail ->> 'closed_figures_sha256' FROM audit
       WHERE action = 'periods.close' AND subject = ? AND detail ->> 'version' = ? ORDER BY seq DESC LIMIT 1`;
  return select.value<string>(db, sql, period, version);
}
