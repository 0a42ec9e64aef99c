import type { ArchiveExport, ContractOutputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, pickColumns, updateRow } from '../sqlite/write-row.ts';

/** An archive export as stored in the books. Instants are UTC milliseconds. */
export interface StoredArchiveExport {
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
  /** Result of the export as JSON, as defined by the contract. */
  result: string | null;
}

export interface ArchiveExportItem {
  statement_id: number;
  /** SHA-256 of the statement's PDF. Null if the archive has no PDF of the statement. */
  sha256: string | null;
  bytes: number | null;
  /** Path of the file in the export's `statements` folder, with `/` as separator. */
  name: string;
  /** Row of the statement in the export's index, as JSON. */
  facts: string;
}

const columns = [
  ...['id', 'made_at', 'made_by', 'description', 'target_kind', 'target_path', 'template', 'merged', 'count'],
  ...['not_stored', 'bytes', 'state', 'job', 'ended_at', 'result'],
] as const satisfies (keyof StoredArchiveExport)[];

/** Saves an archive export with its items in order. Must be called in a transaction. */
export function addArchiveExport(
  db: WritableDb,
  newExport: Omit<StoredArchiveExport, 'count' | 'not_stored' | 'bytes'>,
  items: Iterable<ArchiveExportItem & { open: boolean }>,
): void {
  const sums = { count: 0, not_stored: 0, bytes: 0 };
  insertRow(db, 'archive_export', pickColumns({ ...newExport, ...sums }, columns));
  for (const { statement_id, sha256, bytes, name, facts, open } of items) {
    const item = { export: newExport.id, ordinal: sums.count++, statement_id, sha256, bytes, name, facts };
    insertRow(db, 'archive_export_item', item);
    if (sha256 === null && !open) sums.not_stored++;
    sums.bytes += bytes ?? 0;
  }
  updateRow(db, 'archive_export', sums, { id: newExport.id });
}

export function saveArchiveExport(
  db: WritableDb,
  id: string,
  { state, job, ended_at, result }: Pick<StoredArchiveExport, 'state' | 'job' | 'ended_at' | 'result'>,
): void {
  updateRow(db, 'archive_export', { state, job, ended_at, result }, { id });
}

/** Deletes an archive export that has not been started. Returns false if none has this id. */
export function removePlannedArchiveExport(db: WritableDb, id: string): boolean {
  return prepareSql(db, "DELETE FROM archive_export WHERE id = ? AND state = 'planned'").run(id).changes > 0;
}

/** Marks archive exports of a crashed process as interrupted, so that they can be resumed. */
export function interruptArchiveExports(db: WritableDb, at: number): void {
  prepareSql(db, "UPDATE archive_export SET state = 'interrupted', ended_at = ? WHERE state = 'running'").run(
    at,
  );
}

export function findArchiveExport(db: ReadableDb, id: string): StoredArchiveExport | null {
  return select.row<StoredArchiveExport>(db, 'SELECT * FROM archive_export WHERE id = ?', id);
}

/** Returns the number of PDFs that an archive export contains. */
export function countPdfsToExport(db: ReadableDb, id: string): number {
  const sql = 'SELECT count(*) FROM archive_export_item WHERE export = ? AND sha256 IS NOT NULL';
  return prepareSql<number>(db, sql).pluck().get(id) as number;
}

const CHUNK = 1000;

/** Yields the items of an archive export in order, read in batches of a thousand. */
export function* readExportItems(db: ReadableDb, id: string): Generator<ArchiveExportItem, void, undefined> {
  const sql = `SELECT ordinal, statement_id, sha256, bytes, name, facts FROM archive_export_item
     WHERE export = ? AND ordinal > ? ORDER BY ordinal LIMIT ${CHUNK}`;
  const page = prepareSql<ArchiveExportItem & { ordinal: number }>(db, sql);
  for (let last = -1; ; ) {
    const items = page.all(id, last);
    yield* items;
    if (items.length < CHUNK) return;
    last = items.at(-1)?.ordinal ?? last;
  }
}

/** Maximum number of file names listed per archive export. Chosen by judgment. */
const MAX_LISTED_FILES = 5;

/** Returns an archive export as defined by the contract, or null if it does not exist. */
export function getArchiveExport(db: ReadableDb, site: string, id: string): ArchiveExport | null {
  const stored = findArchiveExport(db, id);
  return stored === null ? null : toArchiveExport(db, site, stored);
}

export function listArchiveExports(
  db: ReadableDb,
  site: string,
  limit: number,
): ContractOutputs['archive']['exports'] {
  const sql = 'SELECT * FROM archive_export ORDER BY made_at DESC, id DESC LIMIT ?';
  return select.rows<StoredArchiveExport>(db, sql, limit).map((stored) => toArchiveExport(db, site, stored));
}

function toArchiveExport(db: ReadableDb, site: string, stored: StoredArchiveExport): ArchiveExport {
  const { id, made_at, target_kind, target_path, merged, ended_at, result, ...rest } = stored;
  const sql = `SELECT name FROM archive_export_item WHERE export = ? AND sha256 IS NOT NULL ORDER BY ordinal LIMIT ${MAX_LISTED_FILES}`;
  const names = select.values<string>(db, sql, id);
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
