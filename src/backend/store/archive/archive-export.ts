import type { ArchiveExport, Outputs } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';
import { isoMoment } from '../moment.ts';

/** An export as it is kept. Instants in ms UTC. */
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
  not_held: number;
  bytes: number;
  state: ArchiveExport['state'];
  job: string | null;
  ended_at: number | null;
  /** JSON of the contract's result. */
  result: string | null;
}

export interface ExportItem {
  statement_id: number;
  /** Null where the archive has no PDF of it. */
  sha256: string | null;
  bytes: number | null;
  /** The file's path below the folder of the statements, with `/`. */
  name: string;
  /** The row of the index, as JSON. */
  facts: string;
}

const columns = [
  ...['id', 'made_at', 'made_by', 'description', 'target_kind', 'target_path', 'template', 'merged', 'count'],
  ...['not_held', 'bytes', 'state', 'job', 'ended_at', 'result'],
] as const satisfies (keyof StoredExport)[];

/** Keeps an export with its items, in their order. To be called inside `commit`. */
export function addExport(
  db: WritableDb,
  made: Omit<StoredExport, 'count' | 'not_held' | 'bytes'>,
  items: Iterable<ExportItem & { open: boolean }>,
): void {
  const sums = { count: 0, not_held: 0, bytes: 0 };
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
    if (sha256 === null && !open) sums.not_held++;
    sums.bytes += bytes ?? 0;
  }
  prepared(db, 'UPDATE archive_export SET count = ?, not_held = ?, bytes = ? WHERE id = ?').run(
    sums.count,
    sums.not_held,
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

/** Forgets an export that was only planned; gives whether it was. */
export function removePlanned(db: WritableDb, id: string): boolean {
  return prepared(db, "DELETE FROM archive_export WHERE id = ? AND state = 'planned'").run(id).changes > 0;
}

/** What a process that is gone was writing can be gone on with. */
export function interruptExports(db: WritableDb, at: number): void {
  prepared(db, "UPDATE archive_export SET state = 'interrupted', ended_at = ? WHERE state = 'running'").run(
    at,
  );
}

export function storedExport(db: ReadableDb, id: string): StoredExport | null {
  return prepared<StoredExport>(db, 'SELECT * FROM archive_export WHERE id = ?').get(id) ?? null;
}

/** How many PDFs it is to write. */
export function countExported(db: ReadableDb, id: string): number {
  return prepared<number>(
    db,
    'SELECT count(*) FROM archive_export_item WHERE export = ? AND sha256 IS NOT NULL',
  )
    .pluck()
    .get(id) as number;
}

const CHUNK = 1000;

/** The items in their order, a thousand read at a time. */
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

/** So many names are shown of an export. */
const SHOWN = 5;

/** An export as the contract shows it; null where there is none. */
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
    made_at: isoMoment(made_at),
    target: { kind: target_kind, path: target_path },
    merged: merged === 1,
    names,
    ended_at: isoMoment(ended_at),
    result: result === null ? null : (JSON.parse(result) as ArchiveExport['result']),
  };
}
