import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, pickColumns, updateOnConflict } from '../sqlite/write-row.ts';

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

/** Records an archived PDF and returns its version. Equal bytes keep the version. */
export function addPdf(db: WritableDb, pdf: Omit<StoredPdf, 'version'>): number {
  const latest = findLatestPdf(db, pdf.statement_id);
  const version = latest?.sha256 === pdf.sha256 ? latest.version : findLastVersion(db, pdf.statement_id) + 1;
  savePdf(db, { ...pdf, version });
  return version;
}

/** Records a PDF under a given version. */
export function savePdf(db: WritableDb, pdf: StoredPdf): void {
  const content = ['sha256', 'bytes', 'fetched_at', 'statement_updated_at'] as const;
  const row = pickColumns(pdf, ['statement_id', 'version', ...content]);
  insertRow(db, 'pdf', row, updateOnConflict('statement_id, version', ...content));
}

/** Returns the latest version of a statement's PDF, or null if none was ever stored. */
export function findLatestPdf(db: ReadableDb, statement: number): StoredPdf | null {
  const sql = 'SELECT * FROM pdf WHERE statement_id = ? ORDER BY version DESC LIMIT 1';
  return select.row<StoredPdf>(db, sql, statement);
}

/** Returns a version of a statement's PDF, or null if it is not stored. */
export function findPdfVersion(db: ReadableDb, statement: number, version: number): StoredPdf | null {
  const sql = 'SELECT * FROM pdf WHERE statement_id = ? AND version = ?';
  return select.row<StoredPdf>(db, sql, statement, version);
}

/** Returns the versions of a statement's PDF, oldest first. */
export function listPdfVersions(db: ReadableDb, statement: number): StoredPdf[] {
  return select.rows<StoredPdf>(db, 'SELECT * FROM pdf WHERE statement_id = ? ORDER BY version', statement);
}

/** Returns true if no PDF, stored or deleted, is known. */
export function isNoPdfKnown(db: ReadableDb): boolean {
  const sql = 'SELECT EXISTS (SELECT 1 FROM pdf) OR EXISTS (SELECT 1 FROM pdf_deleted)';
  return prepare<number>(db, sql).pluck().get() === 0;
}

/** Iterates over every PDF by statement and version, reading lazily. */
export function readAllPdfs(db: ReadableDb): IterableIterator<StoredPdf> {
  return prepare<StoredPdf>(db, 'SELECT * FROM pdf ORDER BY statement_id, version').iterate();
}

/** Returns true if any statement's PDF is this file. */
export function isPdfOfStatement(db: ReadableDb, sha256: string): boolean {
  return prepare(db, 'SELECT 1 FROM pdf WHERE sha256 = ? LIMIT 1').get(sha256) !== undefined;
}

/** Deletes the records and texts of a statement's PDFs. The PDFs are not downloaded again automatically. */
export function removePdfs(db: WritableDb, statement: number): void {
  const sql = 'SELECT DISTINCT sha256 FROM pdf WHERE statement_id = ?';
  const removed = select.values<string>(db, sql, statement);
  const insertPdfDeleted = `INSERT INTO pdf_deleted (statement_id, version) VALUES (?, ?)
     ON CONFLICT (statement_id) DO UPDATE SET version = max(version, excluded.version)`;
  prepare(db, insertPdfDeleted).run(statement, findLastVersion(db, statement));
  prepare(db, 'DELETE FROM pdf WHERE statement_id = ?').run(statement);
  for (const sha256 of removed) {
    if (isPdfOfStatement(db, sha256)) continue;
    prepare(db, 'DELETE FROM pdf_text WHERE sha256 = ?').run(sha256);
    prepare(db, 'DELETE FROM pdf_text_pending WHERE sha256 = ?').run(sha256);
  }
  // The statement's search index contained the text of its PDF.
  const insertStatementUnindexed = `INSERT INTO statement_unindexed (id) SELECT id FROM statement WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE statement_unindexed.id = statement.id)`;
  prepare(db, insertStatementUnindexed).run(statement);
}

/** Returns the highest version number ever used, 0 before the first. */
function findLastVersion(db: ReadableDb, statement: number): number {
  const sql = `SELECT max(ifnull((SELECT max(version) FROM pdf WHERE statement_id = ?), 0),
         ifnull((SELECT version FROM pdf_deleted WHERE statement_id = ?), 0))`;
  return select.value<number>(db, sql, statement, statement) ?? 0;
}
