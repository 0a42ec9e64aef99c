import { existsSync } from 'node:fs';
import { implement } from '@orpc/server';
import { contract, contractError } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).bank;

const accounts = () => import('../../store/bank/bank-account.ts');
const profiles = () => import('../../bank/accounts.ts');
const imports = () => import('../../store/bank/bank-import.ts');
const lines = () => import('../../store/bank/bank-line-list.ts');
const sources = () => import('../../bank/uploads.ts');
const offers = () => import('../../bank/offered.ts');

export function bankQueries({ home, stores, shell }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    accounts: on.accounts.handler(queryWith(accounts, ({ listAccounts }, { books }) => listAccounts(books))),
    offered: on.offered.handler(async ({ input }) => {
      const demo = stores.read(input.site, ({ file }) => file.demo);
      return demo ? (await offers()).suggestedBankFiles(home) : [];
    }),
    profiles: on.profiles.handler(queryWith(profiles, ({ listProfiles }, { books }) => listProfiles(books))),
    imports: on.imports.handler(
      queryWith(imports, ({ listImports }, { books }, input) => listImports(books, input)),
    ),
    getImport: on.getImport.handler(async ({ input }) => {
      const { importById, importOfJob, shownImport } = await imports();
      const stored = stores.read(input.site, ({ books }) =>
        'id' in input ? importById(books, input.id) : importOfJob(books, input.job),
      );
      return shownImport(requireFound(stored, 'such import', 'See the list of imports for those there are.'));
    }),
    importRows: on.importRows.handler(
      queryWith(imports, ({ listImportRows }, { books }, input) => listImportRows(books, input)),
    ),
    source: on.source.handler(async ({ input: { site, id } }) => {
      const { importById } = await imports();
      const { sourcePath } = await sources();
      const { stored, folder } = stores.read(site, ({ books, folder }) => ({
        stored: importById(books, id),
        folder,
      }));
      const { sha256, file } = requireFound(
        stored,
        `import ${id}`,
        'See the list of imports for those there are.',
      );
      const path = sourcePath(folder, sha256);
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
    lines: on.lines.handler(queryWith(lines, ({ listLines }, { books }, input) => listLines(books, input))),
    lineMarks: on.lineMarks.handler(
      queryWith(lines, ({ lineMarks }, { books }, input) => lineMarks(books, input)),
    ),
    getLine: on.getLine.handler(async ({ input: { site, id } }) => {
      const { bankLine } = await lines();
      return requireFound(
        stores.read(site, ({ books }) => bankLine(books, id)),
        `line ${id}`,
        'See the list of lines for those there are.',
      );
    }),
  };
}
