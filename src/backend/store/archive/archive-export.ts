import type { ArchiveExport, Outputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** A stored export. Instants are UTC milliseconds. */
export interface StoredExport {
  id: string;
  made_at: number;
  made_by: string;
  description: string;
  target_kind: 'folder' | 'zip';
  target_path: string;
  template: string;
  merged: 0 | 1;
  count: number;
  not_stored: number;
  bytes: number;
  state: ArchiveExport['state'];
  job: string | null;
  ended_at: number | null;
  /** The contract's result as JSON. */
  result: string | null;
}

export interface ExportItem {
  statement_id: number;
  /** Null if the archive has no PDF of the statement. */
  sha256: string | null;
  bytes: number | null;
  /** The file's path below the statements folder, with `/`. */
  name: string;
  /** The row of the index as JSON. */
  facts: string;
}

const columns = [
  ...['id', 'made_at', 'made_by', 'description', 'target_kind', 'target_path', 'template', 'merged', 'count'],
  ...['not_stored', 'bytes', 'state', 'job', 'ended_at', 'result'],
] as const satisfies (keyof StoredExport)[];

/** Saves an export with its items in order. Must be called inside `commit`. */
export function addExport(
  db: WritableDb,
  made: Omit<StoredExport, 'count' | 'not_stored' | 'bytes'>,
  items: Iterable<ExportItem & { open: boolean }>,
): void {
  const sums = { count: 0, not_stored: 0, bytes: 0 };
  const row: StoredExport = { ...made, ...sums };
  prepared(
    db,
    `INSERT INTO archive_export (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  ).run(...columns.map((column) => row[column]));
  const add = prepared(
    db,
    `INSERT INTO archive_export_item (export, ordinal, statement_id, sha256, bytes, name, facts)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { statement_id, sha256, bytes, name, facts, open } of items) {
    add.run(made.id, sums.count++, statement_id, sha256, bytes, name, facts);
    if (sha256 === null && !open) sums.not_stored++;
    sums.bytes += bytes ?? 0;
  }
  prepared(db, 'UPDATE archive_export SET count = ?, not_stored = ?, bytes = ? WHERE id = ?').run(
    sums.count,
    sums.not_stored,
    sums.bytes,
    made.id,
  );
}

export function saveExport(
  db: WritableDb,
  id: string,
  { state, job, ended_at, result }: Pick<StoredExport, 'state' | 'job' | 'ended_at' | 'result'>,
): void {
  prepared(db, 'UPDATE archive_export SET state = ?, job = ?, ended_at = ?, result = ? WHERE id = ?').run(
    state,
    job,
    ended_at,
    result,
    id,
  );
}

/** Deletes an export that was only planned. Returns true if it was. */
export function removePlanned(db: WritableDb, id: string): boolean {
  return prepared(db, "DELETE FROM archive_export WHERE id = ? AND state = 'planned'").run(id).changes > 0;
}

/** Marks exports of a crashed process as interrupted, so that they can be resumed. */
export function interruptExports(db: WritableDb, at: number): void {
  prepared(db, "UPDATE archive_export SET state = 'interrupted', ended_at = ? WHERE state = 'running'").run(
    at,
  );
}

export function storedExport(db: ReadableDb, id: string): StoredExport | null {
  return prepared<StoredExport>(db, 'SELECT * FROM archive_export WHERE id = ?').get(id) ?? null;
}

/** Returns the number of PDFs to write. */
export function countExported(db: ReadableDb, id: string): number {
  return prepared<number>(
    db,
    'SELECT count(*) FROM archive_export_item WHERE export = ? AND sha256 IS NOT NULL',
  )
    .pluck()
    .get(id) as number;
}

const CHUNK = 1000;

/** Yields the items in order, read in batches of a thousand. */
export function* exportItems(db: ReadableDb, id: string): Generator<ExportItem, void, undefined> {
  const page = prepared<ExportItem & { ordinal: number }>(
    db,
    `SELECT ordinal, statement_id, sha256, bytes, name, facts FROM archive_export_item
     WHERE export = ? AND ordinal > ? ORDER BY ordinal LIMIT ${CHUNK}`,
  );
  for (let last = -1; ; ) {
    const items = page.all(id, last);
    yield* items;
    if (items.length < CHUNK) return;
    last = items.at(-1)?.ordinal ?? last;
  }
}

/** Number of file names shown per export. */
const SHOWN = 5;

/** Returns an export as defined by the contract, or null if it does not exist. */
export function shownExport(db: ReadableDb, site: string, id: string): ArchiveExport | null {
  const kept = storedExport(db, id);
  return kept === null ? null : shown(db, site, kept);
}

export function listExports(db: ReadableDb, site: string, limit: number): Outputs['archive']['exports'] {
  return prepared<StoredExport>(db, 'SELECT * FROM archive_export ORDER BY made_at DESC, id DESC LIMIT ?')
    .all(limit)
    .map((kept) => shown(db, site, kept));
}

function shown(db: ReadableDb, site: string, kept: StoredExport): ArchiveExport {
  const { id, made_at, target_kind, target_path, merged, ended_at, result, ...rest } = kept;
  const names = prepared<string>(
    db,
    `SELECT name FROM archive_export_item WHERE export = ? AND sha256 IS NOT NULL ORDER BY ordinal LIMIT ${SHOWN}`,
  )
    .pluck()
    .all(id);
  return {
    ...rest,
    export: id,
    site,
    made_at: formatTimestamp(made_at),
    target: { kind: target_kind, path: target_path },
    merged: merged === 1,
    names,
    ended_at: formatTimestamp(ended_at),
    result: result === null ? null : (JSON.parse(result) as ArchiveExport['result']),
  };
}
