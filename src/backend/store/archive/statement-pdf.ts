import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql, pickColumns } from '../sqlite/write-row.ts';

/** A version of a statement's PDF in the archive. Instants are UTC milliseconds. */
export interface StoredPdf {
  statement_id: number;
  version: number;
  sha256: string;
  bytes: number;
  fetched_at: number;
  /** The statement's `updated_at` at the time of download. If it has changed since, the PDF may be outdated. */
  statement_updated_at: number | null;
}

/** Records an archived PDF and returns its version. Identical bytes do not create a new version. */
export function addStatementPdf(db: WritableDb, pdf: Omit<StoredPdf, 'version'>): number {
  const latest = findLatestPdf(db, pdf.statement_id);
  const version = latest?.sha256 === pdf.sha256 ? latest.version : findLastVersion(db, pdf.statement_id) + 1;
  savePdfVersion(db, { ...pdf, version });
  return version;
}

/** Records a statement's PDF under a given version number. */
export function savePdfVersion(db: WritableDb, pdf: StoredPdf): void {
  const content = ['sha256', 'bytes', 'fetched_at', 'statement_updated_at'] as const;
  const row = pickColumns(pdf, ['statement_id', 'version', ...content]);
  insertRow(db, 'pdf', row, onConflictSql('statement_id, version', ...content));
}

/** Returns the latest version of a statement's PDF, or null if none was ever stored. */
export function findLatestPdf(db: ReadableDb, statement: number): StoredPdf | null {
  const sql = 'SELECT * FROM pdf WHERE statement_id = ? ORDER BY version DESC LIMIT 1';
  return select.row<StoredPdf>(db, sql, statement);
}

/** Returns one version of a statement's PDF, or null if it is not stored. */
export function findPdfVersion(db: ReadableDb, statement: number, version: number): StoredPdf | null {
  const sql = 'SELECT * FROM pdf WHERE statement_id = ? AND version = ?';
  return select.row<StoredPdf>(db, sql, statement, version);
}

/** Returns all versions of a statement's PDF, oldest first. */
export function listPdfVersions(db: ReadableDb, statement: number): StoredPdf[] {
  return select.rows<StoredPdf>(db, 'SELECT * FROM pdf WHERE statement_id = ? ORDER BY version', statement);
}

/** Returns true if the cache has no PDF record, not even of a deleted PDF. */
export function hasNoPdfRecords(db: ReadableDb): boolean {
  const sql = 'SELECT EXISTS (SELECT 1 FROM pdf) OR EXISTS (SELECT 1 FROM pdf_deleted)';
  return prepareSql<number>(db, sql).pluck().get() === 0;
}

/** Iterates over all stored PDFs by statement and version without loading them into memory. */
export function readAllPdfs(db: ReadableDb): IterableIterator<StoredPdf> {
  return prepareSql<StoredPdf>(db, 'SELECT * FROM pdf ORDER BY statement_id, version').iterate();
}

/** Returns true if the file is the PDF of any statement. */
export function isStatementPdf(db: ReadableDb, sha256: string): boolean {
  return prepareSql(db, 'SELECT 1 FROM pdf WHERE sha256 = ? LIMIT 1').get(sha256) !== undefined;
}

/** Deletes the records and texts of a statement's PDFs. Deleted PDFs are not downloaded again automatically. */
export function removeStatementPdfs(db: WritableDb, statement: number): void {
  const sql = 'SELECT DISTINCT sha256 FROM pdf WHERE statement_id = ?';
  const removed = select.values<string>(db, sql, statement);
  const insertPdfDeleted = `INSERT INTO pdf_deleted (statement_id, version) VALUES (?, ?)
     ON CONFLICT (statement_id) DO UPDATE SET version = max(version, excluded.version)`;
  prepareSql(db, insertPdfDeleted).run(statement, findLastVersion(db, statement));
  prepareSql(db, 'DELETE FROM pdf WHERE statement_id = ?').run(statement);
  for (const sha256 of removed) {
    if (isStatementPdf(db, sha256)) continue;
    prepareSql(db, 'DELETE FROM pdf_text WHERE sha256 = ?').run(sha256);
    prepareSql(db, 'DELETE FROM pdf_text_pending WHERE sha256 = ?').run(sha256);
  }
  // Queues the statement for reindexing, because the search index contains the text of its PDF.
  const insertStatementUnindexed = `INSERT INTO statement_unindexed (id) SELECT id FROM statement WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE statement_unindexed.id = statement.id)`;
  prepareSql(db, insertStatementUnindexed).run(statement);
}

/** Returns the highest version number ever used for a statement's PDF, or 0 if there is none. */
function findLastVersion(db: ReadableDb, statement: number): number {
  const sql = `SELECT max(ifnull((SELECT max(version) FROM pdf WHERE statement_id = ?), 0),
         ifnull((SELECT version FROM pdf_deleted WHERE statement_id = ?), 0))`;
  return select.value<number>(db, sql, statement, statement) ?? 0;
}
