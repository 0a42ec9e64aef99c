import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

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

export interface NewClosedFigures {
  period_id: number;
  version: number;
  from_on: string | null;
  until_on: string;
  closed_at: number;
  figures: string;
  signed: string;
}

/** Starts closed figures. Chunks and items follow, and nothing is in force before `finishSeal`. Returns the id. */
export function beginClosedFigures(db: WritableDb, closedFigures: NewClosedFigures): number {
  const { period_id, version, from_on, until_on, closed_at, figures, signed } = closedFigures;
  return Number(
    prepared(
      db,
      `INSERT INTO closed_figures (period_id, version, from_on, until_on, closed_at, figures, signed)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run(period_id, version, from_on, until_on, closed_at, figures, signed).lastInsertRowid,
  );
}

/** Completes the closed figures. From then on they cannot be changed. */
export function finishClosedFigures(db: WritableDb, id: number, content: string, sha256: string): void {
  prepared(db, 'UPDATE closed_figures SET content = ?, sha256 = ? WHERE id = ?').run(content, sha256, id);
}

/** Deletes closed figures that were never completed. */
export function deleteUnfinishedClosedFigures(db: WritableDb): void {
  prepared(db, 'DELETE FROM closed_figures WHERE content IS NULL').run();
}

export function markClosedFiguresReopened(db: WritableDb, id: number, at: number): void {
  prepared(db, 'UPDATE closed_figures SET reopened_at = ? WHERE id = ?').run(at, id);
}

export function markClosedFiguresCompared(db: WritableDb, id: number, at: number): void {
  prepared(db, 'UPDATE closed_figures SET compared_at = ? WHERE id = ?').run(at, id);
}

/** Returns the closed figures in force, one per closed period, earliest first. */
export function listClosedFiguresInForce(db: ReadableDb): (StoredClosedFigures & { period: string })[] {
  return prepared<StoredClosedFigures & { period: string }>(
    db,
    `SELECT ${columns}, period FROM period JOIN closed_figures ON period_id = period.id AND closed_figures.version = period.version
     WHERE state = 'closed' ORDER BY until_on`,
  ).all();
}

/** Returns the closed figures of a period by version, by default the latest, or null. */
export function closedFiguresOf(
  db: ReadableDb,
  period: number,
  version?: number,
): StoredClosedFigures | null {
  return (
    prepared<StoredClosedFigures>(
      db,
      `SELECT ${columns} FROM closed_figures WHERE period_id = ? AND content IS NOT NULL AND version = coalesce(?, version)
       ORDER BY version DESC LIMIT 1`,
    ).get(period, version ?? null) ?? null
  );
}

/** Returns the figures exactly as signed. */
export function signedFigures(db: ReadableDb, closedFigures: number): string {
  return (
    prepared<string>(db, 'SELECT signed FROM closed_figures WHERE id = ?').pluck().get(closedFigures) ?? ''
  );
}

/** Consecutive closed rows of a kind, stored together. All ids are below the first one of the next chunk. */
export interface StoredChunk {
  first_row: number;
  count: number;
  sha256: string;
}

/** Stores a chunk of closed rows. `content` is their deflated text, `sha256` the checksum of the text itself. */
export function addChunk(
  db: WritableDb,
  closedFigures: number,
  kind: string,
  { first_row, count, sha256 }: StoredChunk,
  content: Buffer,
): void {
  prepared(
    db,
    'INSERT INTO closed_figures_chunk (closed_figures_id, kind, first_row, count, sha256, content) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(closedFigures, kind, first_row, count, sha256, content);
}

/** Returns the chunks of a kind in order. */
export function chunksOf(db: ReadableDb, closedFigures: number, kind: string): StoredChunk[] {
  return prepared<StoredChunk>(
    db,
    'SELECT first_row, count, sha256 FROM closed_figures_chunk WHERE closed_figures_id = ? AND kind = ? ORDER BY first_row',
  ).all(closedFigures, kind);
}

/** The deflated rows of a chunk and the expected checksum of their text. */
export interface StoredContent {
  first_row: number;
  count: number;
  sha256: string;
  content: Buffer;
}

/** Returns the chunk that contains a row, or would contain it. Null before the first. */
export function chunkAround(
  db: ReadableDb,
  closedFigures: number,
  kind: string,
  row: number,
): StoredContent | null {
  return (
    prepared<StoredContent>(
      db,
      `SELECT first_row, count, sha256, content FROM closed_figures_chunk WHERE closed_figures_id = ? AND kind = ? AND first_row <= ?
       ORDER BY first_row DESC LIMIT 1`,
    ).get(closedFigures, kind, row) ?? null
  );
}

/**
 * Yields the chunks of all kinds whose names have a prefix, read one at a time, in the order in which they were stored.
 */
export function* chunksBeginning(
  db: ReadableDb,
  closedFigures: number,
  beginning: string,
): Generator<StoredContent, void, undefined> {
  const ids = prepared<number>(
    db,
    'SELECT id FROM closed_figures_chunk WHERE closed_figures_id = ? AND substr(kind, 1, length(?)) = ? ORDER BY id',
  )
    .pluck()
    .all(closedFigures, beginning, beginning);
  const chunk = prepared<StoredContent>(
    db,
    'SELECT first_row, count, sha256, content FROM closed_figures_chunk WHERE id = ?',
  );
  for (const id of ids) yield chunk.get(id)!;
}

/** Returns the checksum that the audit log names for a closing, or null if it has no such entry. */
export function closedFiguresRecorded(db: ReadableDb, period: string, version: number): string | null {
  return (
    prepared<string | null>(
      db,
      `SELECT detail ->> 'closed_figures_sha256' FROM audit
       WHERE action = 'periods.close' AND subject = ? AND detail ->> 'version' = ? ORDER BY seq DESC LIMIT 1`,
    )
      .pluck()
      .get(period, version) ?? null
  );
}
