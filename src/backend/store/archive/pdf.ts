import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** A statement's PDF in the archive. Instants are UTC milliseconds. */
export interface StoredPdf {
  statement_id: number;
  version: number;
  sha256: string;
  bytes: number;
  fetched_at: number;
  /** The statement's `updated_at` when the PDF was downloaded. If the statement's is later, the PDF may be outdated. */
  statement_updated_at: number | null;
}

/**
 * Records an archived PDF. Equal bytes are the same version with a newer `fetched_at`, other bytes a new version. Returns
 * the version.
 */
export function addPdf(db: WritableDb, pdf: Omit<StoredPdf, 'version'>): number {
  const latest = latestPdf(db, pdf.statement_id);
  const version = latest?.sha256 === pdf.sha256 ? latest.version : lastVersion(db, pdf.statement_id) + 1;
  putPdf(db, { ...pdf, version });
  return version;
}

/** Records a PDF under a given version. */
export function putPdf(db: WritableDb, pdf: StoredPdf): void {
  prepared(
    db,
    `INSERT INTO pdf (statement_id, version, sha256, bytes, fetched_at, statement_updated_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (statement_id, version) DO UPDATE SET sha256 = excluded.sha256, bytes = excluded.bytes,
       fetched_at = excluded.fetched_at, statement_updated_at = excluded.statement_updated_at`,
  ).run(pdf.statement_id, pdf.version, pdf.sha256, pdf.bytes, pdf.fetched_at, pdf.statement_updated_at);
}

/** Returns the latest version of a statement's PDF, or null if none was ever stored. */
export function latestPdf(db: ReadableDb, statement: number): StoredPdf | null {
  return (
    prepared<StoredPdf>(db, 'SELECT * FROM pdf WHERE statement_id = ? ORDER BY version DESC LIMIT 1').get(
      statement,
    ) ?? null
  );
}

/** Returns a version of a statement's PDF, or null if it is not stored. */
export function versionOf(db: ReadableDb, statement: number, version: number): StoredPdf | null {
  return (
    prepared<StoredPdf>(db, 'SELECT * FROM pdf WHERE statement_id = ? AND version = ?').get(
      statement,
      version,
    ) ?? null
  );
}

/** Returns the versions of a statement's PDF, oldest first. */
export function versionsOf(db: ReadableDb, statement: number): StoredPdf[] {
  return prepared<StoredPdf>(db, 'SELECT * FROM pdf WHERE statement_id = ? ORDER BY version').all(statement);
}

/** Returns true if no PDF, stored or deleted, is known. */
export function knowsNoPdf(db: ReadableDb): boolean {
  const known = 'SELECT EXISTS (SELECT 1 FROM pdf) OR EXISTS (SELECT 1 FROM pdf_deleted)';
  return prepared<number>(db, known).pluck().get() === 0;
}

/** Iterates over every PDF by statement and version, reading lazily. */
export function allPdfs(db: ReadableDb): IterableIterator<StoredPdf> {
  return prepared<StoredPdf>(db, 'SELECT * FROM pdf ORDER BY statement_id, version').iterate();
}

/** Returns true if any statement's PDF is this file. */
export function isOfAStatement(db: ReadableDb, sha256: string): boolean {
  return prepared(db, 'SELECT 1 FROM pdf WHERE sha256 = ? LIMIT 1').get(sha256) !== undefined;
}

/**
 * Deletes the records and texts of a statement's PDFs after a person deleted them. They are not downloaded again
 * automatically.
 */
export function removePdfs(db: WritableDb, statement: number): void {
  const removed = prepared<string>(db, 'SELECT DISTINCT sha256 FROM pdf WHERE statement_id = ?')
    .pluck()
    .all(statement);
  prepared(
    db,
    `INSERT INTO pdf_deleted (statement_id, version) VALUES (?, ?)
     ON CONFLICT (statement_id) DO UPDATE SET version = max(version, excluded.version)`,
  ).run(statement, lastVersion(db, statement));
  prepared(db, 'DELETE FROM pdf WHERE statement_id = ?').run(statement);
  for (const sha256 of removed) {
    if (isOfAStatement(db, sha256)) continue;
    prepared(db, 'DELETE FROM pdf_words WHERE sha256 = ?').run(sha256);
    prepared(db, 'DELETE FROM pdf_unread WHERE sha256 = ?').run(sha256);
  }
  // The statement's search index contained the text of its PDF.
  prepared(
    db,
    `INSERT INTO statement_unindexed (id) SELECT id FROM statement WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE statement_unindexed.id = statement.id)`,
  ).run(statement);
}

/** Returns the highest version number ever used, 0 before the first. */
function lastVersion(db: ReadableDb, statement: number): number {
  return (
    prepared<number>(
      db,
      `SELECT max(ifnull((SELECT max(version) FROM pdf WHERE statement_id = ?), 0),
         ifnull((SELECT version FROM pdf_deleted WHERE statement_id = ?), 0))`,
    )
      .pluck()
      .get(statement, statement) ?? 0
  );
}
