import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getPdfPath } from '../../src/backend/archive/pdf-files.ts';
import { addStatementPdf } from '../../src/backend/store/archive/statement-pdf.ts';
import { openStore } from '../../src/backend/store/database/open-store.ts';
import { runInTransaction } from '../../src/backend/store/sqlite/connection.ts';

/** Stores files in the demo site's archive as the newest PDFs of these statements. */
export function putIntoArchive(home: string, files: ReadonlyMap<number, Uint8Array>): void {
  const folder = join(home, 'sites', 'demo');
  const cache = openStore(join(folder, 'cache.db'), 'cache');
  for (const [statement_id, bytes] of files) {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = getPdfPath(folder, sha256);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    const fetched_at = Date.now();
    const pdf = { statement_id, sha256, bytes: bytes.length, fetched_at, statement_updated_at: fetched_at };
    runInTransaction(cache, () => addStatementPdf(cache, pdf));
  }
  cache.close();
}
