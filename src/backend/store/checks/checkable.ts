import { prepared, type ReadableDb } from '../database.ts';

const any = {
  statement: 'SELECT 1 FROM statement LIMIT 1',
  allocation: 'SELECT 1 FROM allocation LIMIT 1',
  webhook: 'SELECT 1 FROM webhook LIMIT 1',
  /** PDFs whose words were read; a picture has none. */
  pdf: "SELECT 1 FROM pdf_words WHERE words <> '' LIMIT 1",
} as const;

/** Whether there is anything of a kind that rules could look at. */
export function isAnyHeld(cache: ReadableDb, kind: keyof typeof any): boolean {
  return prepared(cache, any[kind]).get() !== undefined;
}
