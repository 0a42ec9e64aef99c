import { prepare, type ReadableDb } from '../sqlite/connection.ts';

const any = {
  statement: 'SELECT 1 FROM statement LIMIT 1',
  allocation: 'SELECT 1 FROM allocation LIMIT 1',
  webhook: 'SELECT 1 FROM webhook LIMIT 1',
  /** PDFs with extracted text. Scanned images have none. */
  pdf: "SELECT 1 FROM pdf_text WHERE text <> '' LIMIT 1",
} as const;

/** Returns true if there are stored records of a kind that rules check. */
export function isAnyStored(cache: ReadableDb, kind: keyof typeof any): boolean {
  return prepare(cache, any[kind]).get() !== undefined;
}
