import { journalProcedures } from '../../../contract/general-ledger/journal.ts';
import { ledgerProcedures } from '../../../contract/general-ledger/ledger.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

const loadImport = () => import('../../general-ledger/import-ledger.ts');
const loadPlan = () => import('../../general-ledger/ledger-plan.ts');
const loadJournal = () => import('../../general-ledger/journal.ts');
const loadProposals = () => import('../../general-ledger/propose-entries.ts');

export const ledgerCommands = (context: WriterContext) => {
  const { stores, importSession, now } = context;
  return implementProcedures(ledgerProcedures, {
    mapAccounts: async ({ input }) => (await loadImport()).mapLedgerAccounts(context, input),
    plan: async ({ input }) => {
      const { planLedgerImport } = await loadPlan();
      const upload = importSession.uploads.get(input.site, input.upload);
      const today = new Date(now()).toISOString().slice(0, 10);
      return (await planLedgerImport(stores.open(input.site), upload, today, input)).plan;
    },
    import: async ({ input }) => {
      const { importLedger } = await loadImport();
      return importLedger(context, importSession.uploads.get(input.site, input.upload), input);
    },
    removeImport: async ({ input }) => (await loadImport()).removeLedgerImport(context, input),
  });
};

export const journalCommands = (context: WriterContext) =>
  implementProcedures(journalProcedures, {
    propose: async ({ input }) => (await loadProposals()).proposePeriodEntries(context, input),
    add: async ({ input }) => (await loadJournal()).addManualEntry(context, input),
    approve: async ({ input }) => (await loadJournal()).approveEntries(context, input),
    discard: async ({ input }) => (await loadJournal()).discardEntries(context, input),
    export: async ({ input }) => (await loadJournal()).exportJournal(context, input),
  });
