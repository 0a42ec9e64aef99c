import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** A sign-off; `content` and `sha256` are null while it is being made. */
export interface StoredSeal {
  id: number;
  period_id: number;
  version: number;
  from_on: string | null;
  until_on: string;
  /** ms UTC. */
  sealed_at: number;
  figures: string;
  content: string | null;
  sha256: string | null;
  reopened_at: number | null;
  compared_at: number | null;
}

const columns = `period_seal.id, period_id, period_seal.version, from_on, until_on, sealed_at, figures, content, sha256, reopened_at,
  compared_at`;

export interface NewSeal {
  period_id: number;
  version: number;
  from_on: string | null;
  until_on: string;
  sealed_at: number;
  figures: string;
  signed: string;
}

/** Begins a seal; its chunks and items come next, and it holds nothing before `finishSeal`. Gives its id. */
export function beginSeal(db: WritableDb, seal: NewSeal): number {
  const { period_id, version, from_on, until_on, sealed_at, figures, signed } = seal;
  return Number(
    prepared(
      db,
      `INSERT INTO period_seal (period_id, version, from_on, until_on, sealed_at, figures, signed)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run(period_id, version, from_on, until_on, sealed_at, figures, signed).lastInsertRowid,
  );
}

/** From now on the seal, and all that belongs to it, cannot be changed. */
export function finishSeal(db: WritableDb, id: number, content: string, sha256: string): void {
  prepared(db, 'UPDATE period_seal SET content = ?, sha256 = ? WHERE id = ?').run(content, sha256, id);
}

/** Takes away what was begun and never finished. */
export function dropHalfSeals(db: WritableDb): void {
  prepared(db, 'DELETE FROM period_seal WHERE content IS NULL').run();
}

export function sealReopened(db: WritableDb, id: number, at: number): void {
  prepared(db, 'UPDATE period_seal SET reopened_at = ? WHERE id = ?').run(at, id);
}

export function sealCompared(db: WritableDb, id: number, at: number): void {
  prepared(db, 'UPDATE period_seal SET compared_at = ? WHERE id = ?').run(at, id);
}

/** The seals in force, the earliest days first: one for each closed period. */
export function sealsInForce(db: ReadableDb): (StoredSeal & { period: string })[] {
  return prepared<StoredSeal & { period: string }>(
    db,
    `SELECT ${columns}, period FROM period JOIN period_seal ON period_id = period.id AND period_seal.version = period.version
     WHERE state = 'closed' ORDER BY until_on`,
  ).all();
}

/** A seal of a period by its number; without one the newest. Null where there is none. */
export function sealOf(db: ReadableDb, period: number, version?: number): StoredSeal | null {
  return (
    prepared<StoredSeal>(
      db,
      `SELECT ${columns} FROM period_seal WHERE period_id = ? AND content IS NOT NULL AND version = coalesce(?, version)
       ORDER BY version DESC LIMIT 1`,
    ).get(period, version ?? null) ?? null
  );
}

/** The figures as they were signed, word for word. */
export function signedFigures(db: ReadableDb, seal: number): string {
  return prepared<string>(db, 'SELECT signed FROM period_seal WHERE id = ?').pluck().get(seal) ?? '';
}

/** Sealed rows of a kind that stand together; the ids of all lie before the first of the next chunk. */
export interface StoredChunk {
  first_row: number;
  count: number;
  sha256: string;
}

/** Keeps a run of sealed rows: `content` is their text, deflated; `sha256` is of the text itself. */
export function addChunk(
  db: WritableDb,
  seal: number,
  kind: string,
  { first_row, count, sha256 }: StoredChunk,
  content: Buffer,
): void {
  prepared(
    db,
    'INSERT INTO period_chunk (seal_id, kind, first_row, count, sha256, content) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(seal, kind, first_row, count, sha256, content);
}

/** The chunks of a kind, in their order. */
export function chunksOf(db: ReadableDb, seal: number, kind: string): StoredChunk[] {
  return prepared<StoredChunk>(
    db,
    'SELECT first_row, count, sha256 FROM period_chunk WHERE seal_id = ? AND kind = ? ORDER BY first_row',
  ).all(seal, kind);
}

/** The deflated rows of a chunk, and the digest that their text should have. */
export interface StoredContent {
  first_row: number;
  count: number;
  sha256: string;
  content: Buffer;
}

/** The chunk that a row is in, or would be; null before the first. */
export function chunkAround(db: ReadableDb, seal: number, kind: string, row: number): StoredContent | null {
  return (
    prepared<StoredContent>(
      db,
      `SELECT first_row, count, sha256, content FROM period_chunk WHERE seal_id = ? AND kind = ? AND first_row <= ?
       ORDER BY first_row DESC LIMIT 1`,
    ).get(seal, kind, row) ?? null
  );
}

/** The chunks of all kinds whose names begin so, one read at a time, in the order in which they were kept. */
export function* chunksBeginning(
  db: ReadableDb,
  seal: number,
  beginning: string,
): Generator<StoredContent, void, undefined> {
  const ids = prepared<number>(
    db,
    'SELECT id FROM period_chunk WHERE seal_id = ? AND substr(kind, 1, length(?)) = ? ORDER BY id',
  )
    .pluck()
    .all(seal, beginning, beginning);
  const chunk = prepared<StoredContent>(
    db,
    'SELECT first_row, count, sha256, content FROM period_chunk WHERE id = ?',
  );
  for (const id of ids) yield chunk.get(id)!;
}

/** The seal that the audit log names for a closing; null where it knows of none. */
export function sealNoted(db: ReadableDb, period: string, version: number): string | null {
  return (
    prepared<string | null>(
      db,
      `SELECT detail ->> 'seal' FROM audit
       WHERE action = 'periods.close' AND subject = ? AND detail ->> 'version' = ? ORDER BY seq DESC LIMIT 1`,
    )
      .pluck()
      .get(period, version) ?? null
  );
}
