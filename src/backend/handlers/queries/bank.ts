import { existsSync } from 'node:fs';
import { bankProcedures } from '../../../contract/bank/bank.ts';
import { createNonRetryableError } from '../../../contract/index.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

const loadAccounts = () => import('../../store/bank/bank-account.ts');
const loadProfiles = () => import('../../bank/accounts-and-profiles.ts');
const loadImports = () => import('../../store/bank/bank-import.ts');
const loadLines = () => import('../../store/bank/bank-line-list.ts');
const loadStatements = () => import('../../bank/bank-statements.ts');
const loadSources = () => import('../../bank/bank-file-uploads.ts');
const loadDemoFiles = () => import('../../bank/demo-bank-files.ts');

const IMPORTS_HINT = 'See the list of imports.';

export const bankQueries = ({ home, stores, shell, queryWith }: QueryContext) =>
  implementProcedures(bankProcedures, {
    accounts: queryWith(loadAccounts, ({ listBankAccounts }, { books }) => listBankAccounts(books)),
    offered: async ({ input }) => {
      const isDemo = stores.read(input.site, ({ file }) => file.demo);
      return isDemo ? (await loadDemoFiles()).listDemoBankFiles(home) : [];
    },
    profiles: queryWith(loadProfiles, ({ listBankProfiles }, { books }) => listBankProfiles(books)),
    imports: queryWith(loadImports, ({ listBankImports }, { books }, input) => listBankImports(books, input)),
    getImport: queryWith(
      loadImports,
      ({ findBankImport, findBankImportByJob, toBankImport }, { books }, input) => {
        const stored =
          'id' in input ? findBankImport(books, input.id) : findBankImportByJob(books, input.job);
        return toBankImport(requireRecord(stored, 'such import', IMPORTS_HINT));
      },
    ),
    importRows: queryWith(loadImports, ({ listBankImportRows }, { books }, input) =>
      listBankImportRows(books, input),
    ),
    source: async ({ input: { site, id } }) => {
      const [{ findBankImport }, { getSourceFilePath }] = await Promise.all([loadImports(), loadSources()]);
      const [stored, folder] = stores.read(
        site,
        (open) => [findBankImport(open.books, id), open.folder] as const,
      );
      const { sha256, file } = requireRecord(stored, `import ${id}`, IMPORTS_HINT);
      const path = getSourceFilePath(folder, sha256);
      if (!existsSync(path))
        throw createNonRetryableError(
          'not_found',
          `The stored file of import ${id} (${file}) is missing.`,
          'Its SHA-256 is stored, so you can identify the original file if you still have it.',
          { sha256 },
        );
      return shell.blobs.offer({ path, name: file, type: 'application/octet-stream' });
    },
    statements: queryWith(loadStatements, ({ listBankStatements }, { books }, { account }) =>
      listBankStatements(books, account ?? null),
    ),
    lines: queryWith(loadLines, ({ listBankLines }, { books }, input) => listBankLines(books, input)),
    lineMarks: queryWith(loadLines, ({ readBankLinePageCursors }, { books }, input) =>
      readBankLinePageCursors(books, input),
    ),
    getLine: queryWith(loadLines, ({ getBankLine }, { books }, { id }) =>
      requireRecord(getBankLine(books, id), `line ${id}`, 'See the list of bank lines.'),
    ),
  });
