import { existsSync } from 'node:fs';
import { implement } from '@orpc/server';
import { contract, contractError } from '../../../contract/index.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).bank;

const accounts = () => import('../../store/bank/bank-account.ts');
const profiles = () => import('../../bank/accounts.ts');
const imports = () => import('../../store/bank/bank-import.ts');
const lines = () => import('../../store/bank/bank-line-list.ts');
const sources = () => import('../../bank/uploads.ts');
const offers = () => import('../../bank/offered.ts');

export function bankQueries({ home, stores, shell }: ReaderContext) {
  return {
    accounts: on.accounts.handler(async ({ input }) => {
      const { listAccounts } = await accounts();
      return stores.read(input.site, ({ books }) => listAccounts(books));
    }),
    offered: on.offered.handler(async ({ input }) => {
      const demo = stores.read(input.site, ({ file }) => file.demo);
      return demo ? (await offers()).offeredFiles(home) : [];
    }),
    profiles: on.profiles.handler(async ({ input }) => {
      const { listProfiles } = await profiles();
      return stores.read(input.site, ({ books }) => listProfiles(books));
    }),
    imports: on.imports.handler(async ({ input }) => {
      const { listImports } = await imports();
      return stores.read(input.site, ({ books }) => listImports(books, input));
    }),
    getImport: on.getImport.handler(async ({ input }) => {
      const { importById, importOfJob, shownImport } = await imports();
      const stored = stores.read(input.site, ({ books }) =>
        'id' in input ? importById(books, input.id) : importOfJob(books, input.job),
      );
      return shownImport(found(stored, 'such import', 'See the list of imports for those there are.'));
    }),
    importRows: on.importRows.handler(async ({ input }) => {
      const { listImportRows } = await imports();
      return stores.read(input.site, ({ books }) => listImportRows(books, input));
    }),
    source: on.source.handler(async ({ input: { site, id } }) => {
      const { importById } = await imports();
      const { sourcePath } = await sources();
      const { stored, folder } = stores.read(site, ({ books, folder }) => ({
        stored: importById(books, id),
        folder,
      }));
      const { sha256, file } = found(stored, `import ${id}`, 'See the list of imports for those there are.');
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
    lines: on.lines.handler(async ({ input }) => {
      const { listLines } = await lines();
      return stores.read(input.site, ({ books }) => listLines(books, input));
    }),
    lineMarks: on.lineMarks.handler(async ({ input }) => {
      const { lineMarks } = await lines();
      return stores.read(input.site, ({ books }) => lineMarks(books, input));
    }),
    getLine: on.getLine.handler(async ({ input: { site, id } }) => {
      const { bankLine } = await lines();
      return found(
        stores.read(site, ({ books }) => bankLine(books, id)),
        `line ${id}`,
        'See the list of lines for those there are.',
      );
    }),
  };
}
