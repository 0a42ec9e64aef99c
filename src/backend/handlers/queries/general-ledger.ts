import { journalProcedures } from '../../../contract/general-ledger/journal.ts';
import { ledgerProcedures } from '../../../contract/general-ledger/ledger.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

const loadAccounts = () => import('../../store/general-ledger/ledger-account.ts');
const loadDemoFiles = () => import('../../bank/demo-bank-files.ts');
const loadImports = () => import('../../store/general-ledger/ledger-import.ts');
const loadJournal = () => import('../../general-ledger/journal.ts');

export const ledgerQueries = ({ home, stores, queryWith }: QueryContext) =>
  implementProcedures(ledgerProcedures, {
    offered: async ({ input }) => {
      const isDemo = stores.read(input.site, ({ file }) => file.demo);
      return isDemo ? (await loadDemoFiles()).listDemoLedgerFiles(home) : [];
    },
    accounts: queryWith(loadAccounts, ({ listLedgerAccounts }, { books }) => listLedgerAccounts(books)),
    imports: queryWith(loadImports, ({ listLedgerImports }, { books }) => listLedgerImports(books)),
    lines: queryWith(loadImports, ({ listLedgerLines }, { books }, { site: _site, ...query }) =>
      listLedgerLines(books, query),
    ),
  });

export const journalQueries = ({ queryWith }: QueryContext) =>
  implementProcedures(journalProcedures, {
    list: queryWith(loadJournal, ({ readJournal }, { books }, { period }) => readJournal(books, period)),
  });
