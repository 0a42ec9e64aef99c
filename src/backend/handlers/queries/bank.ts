import { existsSync } from 'node:fs';
import { nonRetryableError } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

const loadAccounts = () => import('../../store/bank/bank-account.ts');
const loadProfiles = () => import('../../bank/accounts-and-profiles.ts');
const loadImports = () => import('../../store/bank/bank-import.ts');
const loadLines = () => import('../../store/bank/bank-line-list.ts');
const loadSources = () => import('../../bank/uploads.ts');
const loadDemoFiles = () => import('../../bank/demo-bank-files.ts');

const IMPORTS_HINT = 'See the list of imports.';

export const bankQueries = ({ home, stores, shell, queryWith }: QueryContext) =>
  implementProcedures('bank', {
    accounts: queryWith(loadAccounts, ({ listAccounts }, { books }) => listAccounts(books)),
    offered: async ({ input }) => {
      const isDemo = stores.read(input.site, ({ file }) => file.demo);
      return isDemo ? (await loadDemoFiles()).listDemoBankFiles(home) : [];
    },
    profiles: queryWith(loadProfiles, ({ listProfiles }, { books }) => listProfiles(books)),
    imports: queryWith(loadImports, ({ listImports }, { books }, input) => listImports(books, input)),
    getImport: queryWith(loadImports, ({ findImport, findImportByJob, toBankImport }, { books }, input) => {
      const stored = 'id' in input ? findImport(books, input.id) : findImportByJob(books, input.job);
      return toBankImport(requireFound(stored, 'such import', IMPORTS_HINT));
    }),
    importRows: queryWith(loadImports, ({ listImportRows }, { books }, input) =>
      listImportRows(books, input),
    ),
    source: async ({ input: { site, id } }) => {
      const [{ findImport }, { sourceFilePath }] = await Promise.all([loadImports(), loadSources()]);
      const [stored, folder] = stores.read(
        site,
        (open) => [findImport(open.books, id), open.folder] as const,
      );
      const { sha256, file } = requireFound(stored, `import ${id}`, IMPORTS_HINT);
      const path = sourceFilePath(folder, sha256);
      if (!existsSync(path))
        throw nonRetryableError(
          'not_found',
          `The stored file of import ${id} (${file}) is missing.`,
          'Its SHA-256 is stored, so you can identify the original file if you still have it.',
          { sha256 },
        );
      return shell.blobs.offer({ path, name: file, type: 'application/octet-stream' });
    },
    lines: queryWith(loadLines, ({ listLines }, { books }, input) => listLines(books, input)),
    lineMarks: queryWith(loadLines, ({ readLineMarks }, { books }, input) => readLineMarks(books, input)),
    getLine: queryWith(loadLines, ({ getBankLine }, { books }, { id }) =>
      requireFound(getBankLine(books, id), `line ${id}`, 'See the list of bank lines.'),
    ),
  });
