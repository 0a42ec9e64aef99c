import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getPdfPath } from '../../src/backend/archive/pdf-files.ts';
import { savePdfText } from '../../src/backend/store/archive/pdf-text.ts';
import { addStatementPdf } from '../../src/backend/store/archive/statement-pdf.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { runInTransaction } from '../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../src/backend/store/statements/statement.ts';
import { addSite, SITE } from '../backend/bank/bank-bench.ts';
import { simulateLife } from '../domain/checks/simulate-life.ts';
import { ordinaryLife } from '../domain/history-generator.ts';
import { createStatement } from './checked-site.ts';

/** Fills a home with the given number of closed statements, each with an archived PDF of the given size in bytes. */
export function createArchivedSite(folder: string, count: number, size: number): void {
  addSite(folder);
  const site = join(folder, 'sites', SITE);
  const cache = openStore(join(site, 'cache.db'), 'cache');
  const draft = simulateLife(ordinaryLife(1, 3)).draft;
  const [closed] = draft.statements.filter(({ closed_at }) => closed_at !== null);
  if (closed === undefined) throw new Error('no closed statement');
  const padding = Buffer.alloc(size, '%padding ');
  for (let from = 1; from <= count; from += 500) {
    const ids = Array.from({ length: Math.min(500, count - from + 1) }, (_, at) => from + at);
    runInTransaction(cache, () => {
      upsertStatements(
        cache,
        ids.map((id) => createStatement(draft, id, closed)),
        Date.UTC(2028, 6, 1),
      );
      for (const id of ids) {
        const statement = createStatement(draft, id, closed);
        const bytes = Buffer.from(padding);
        bytes.write(`%PDF-1.4\n% ${statement.id}\n`);
        bytes.write('\n%%EOF\n', size - 7);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        const path = getPdfPath(site, sha256);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, bytes);
        const at = Date.UTC(2028, 6, 1);
        // The text is already extracted, so that nothing else runs during the export.
        savePdfText(cache, sha256, '');
        addStatementPdf(cache, {
          statement_id: statement.id,
          sha256,
          bytes: size,
          fetched_at: at,
          statement_updated_at: at,
        });
      }
    });
  }
  closeStore(cache);
}
