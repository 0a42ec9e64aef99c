import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';

const any = {
  statement: 'SELECT 1 FROM statement LIMIT 1',
  allocation: 'SELECT 1 FROM allocation LIMIT 1',
  webhook: 'SELECT 1 FROM webhook LIMIT 1',
  /** PDFs with extracted text. Scanned images have no text. */
  pdf: "SELECT 1 FROM pdf_text WHERE text <> '' LIMIT 1",
} as const;

/** Returns true if records of a kind that the rules check are stored. */
export function isRecordKindStored(cache: ReadableDb, kind: keyof typeof any): boolean {
  return prepareSql(cache, any[kind]).get() !== undefined;
}
