import { existsSync } from 'node:fs';
import { implement } from '@orpc/server';
import { contract, contractError } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).bank;

const loadAccounts = () => import('../../store/bank/bank-account.ts');
const loadProfiles = () => import('../../bank/accounts-and-profiles.ts');
const loadImports = () => import('../../store/bank/bank-import.ts');
const loadLines = () => import('../../store/bank/bank-line-list.ts');
const loadSources = () => import('../../bank/uploads.ts');
const loadDemoFiles = () => import('../../bank/demo-bank-files.ts');

export function bankQueries({ home, stores, shell }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    accounts: on.accounts.handler(
      queryWith(loadAccounts, ({ listAccounts }, { books }) => listAccounts(books)),
    ),
    offered: on.offered.handler(async ({ input }) => {
      const demo = stores.read(input.site, ({ file }) => file.demo);
      return demo ? (await loadDemoFiles()).listDemoBankFiles(home) : [];
    }),
    profiles: on.profiles.handler(
      queryWith(loadProfiles, ({ listProfiles }, { books }) => listProfiles(books)),
    ),
    imports: on.imports.handler(
      queryWith(loadImports, ({ listImports }, { books }, input) => listImports(books, input)),
    ),
    getImport: on.getImport.handler(async ({ input }) => {
      const { importById, importOfJob, shownImport } = await loadImports();
      const stored = stores.read(input.site, ({ books }) =>
        'id' in input ? importById(books, input.id) : importOfJob(books, input.job),
      );
      return shownImport(requireFound(stored, 'such import', 'See the list of imports for those there are.'));
    }),
    importRows: on.importRows.handler(
      queryWith(loadImports, ({ listImportRows }, { books }, input) => listImportRows(books, input)),
    ),
    source: on.source.handler(async ({ input: { site, id } }) => {
      const { importById } = await loadImports();
      const { sourceFilePath } = await loadSources();
      const { stored, folder } = stores.read(site, ({ books, folder }) => ({
        stored: importById(books, id),
        folder,
      }));
      const { sha256, file } = requireFound(
        stored,
        `import ${id}`,
        'See the list of imports for those there are.',
      );
      const path = sourceFilePath(folder, sha256);
      if (!existsSync(path)) {
        throw contractError({
          code: 'not_found',
          message: `The file of import ${id} (${file}) is not where it was kept.`,
          hint: 'Its SHA-256 is known, so that it can be told from others if you still have it.',
          detail: { sha256 },
          retryable: false,
        });
      }
      return shell.blobs.offer({ path, name: file, type: 'application/octet-stream' });
    }),
    lines: on.lines.handler(
      queryWith(loadLines, ({ listLines }, { books }, input) => listLines(books, input)),
    ),
    lineMarks: on.lineMarks.handler(
      queryWith(loadLines, ({ lineMarks }, { books }, input) => lineMarks(books, input)),
    ),
    getLine: on.getLine.handler(async ({ input: { site, id } }) => {
      const { bankLine } = await loadLines();
      return requireFound(
        stores.read(site, ({ books }) => bankLine(books, id)),
        `line ${id}`,
        'See the list of lines for those there are.',
      );
    }),
  };
}
