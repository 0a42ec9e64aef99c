import { prepared, type ReadableDb, type WritableDb } from './database.ts';

/** A rendering of a statement's PDF as the archive holds it. Instants in ms UTC. */
export interface StoredPdf {
  statement_id: number;
  version: number;
  sha256: string;
  bytes: number;
  fetched_at: number;
  /** The statement's `updated_at` when the PDF was taken: a later one means that it may have changed. */
  statement_updated_at: number | null;
}

/**
 * Notes a PDF that stands in the archive. The same bytes again are the same version, with a newer `fetched_at`; other
 * bytes are a new one. Gives the version.
 */
export function addPdf(db: WritableDb, pdf: Omit<StoredPdf, 'version'>): number {
  const latest = latestPdf(db, pdf.statement_id);
  const version = latest === null ? 1 : latest.sha256 === pdf.sha256 ? latest.version : latest.version + 1;
  prepared(
    db,
    `INSERT INTO pdf (statement_id, version, sha256, bytes, fetched_at, statement_updated_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (statement_id, version) DO UPDATE SET fetched_at = excluded.fetched_at,
       statement_updated_at = excluded.statement_updated_at`,
  ).run(pdf.statement_id, version, pdf.sha256, pdf.bytes, pdf.fetched_at, pdf.statement_updated_at);
  return version;
}

export function latestPdf(db: ReadableDb, statement: number): StoredPdf | null {
  return (
    prepared<StoredPdf>(db, 'SELECT * FROM pdf WHERE statement_id = ? ORDER BY version DESC LIMIT 1').get(
      statement,
    ) ?? null
  );
}
