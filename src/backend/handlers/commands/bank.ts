import { bankProcedures } from '../../../contract/bank/bank.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

// Loads the file parsers on first use, because most commands do not need them.
const loadAccounts = () => import('../../bank/accounts-and-profiles.ts');
const loadPlans = () => import('../../bank/import-plan.ts');
const loadPlanRows = () => import('../../bank/import-plan-rows.ts');
const loadImport = () => import('../../bank/apply-bank-import.ts');
const loadStatements = () => import('../../bank/enter-bank-statement.ts');
const loadRemoval = () => import('../../bank/remove-bank-import.ts');

export function bankCommands(context: WriterContext) {
  const { stores, importSession } = context;
  return implementProcedures(bankProcedures, {
    saveAccount: async ({ input }) => (await loadAccounts()).saveAccount(context, input),
    removeAccount: async ({ input }) => {
      (await loadAccounts()).deleteAccount(context, input.site, input.id);
      return {};
    },
    upload: ({ input }) => {
      const { id, bytes } = importSession.uploads.addPiece(stores.open(input.site).folder, input);
      return { upload: id, bytes };
    },
    plan: async ({ input }) => {
      const { site } = input;
      const { createImportPlan } = await loadPlans();
      const upload = importSession.uploads.get(site, input.upload);
      const today = new Date(context.now()).toISOString().slice(0, 10);
      const plan = await createImportPlan({ site, open: stores.open(site), upload, today }, input);
      importSession.addPlan(plan);
      return { plan: plan.id, ...plan.preview };
    },
    planRows: async ({ input }) => {
      const { listImportPlanRows } = await loadPlanRows();
      return listImportPlanRows(importSession.getPlan(input.site, input.plan), input);
    },
    import: async ({ input: { site, plan } }) => {
      const { startImport } = await loadImport();
      return { job: startImport(context, site, plan).id };
    },
    removeImport: async ({ input: { site, id, reason } }) => {
      const { startImportRemoval } = await loadRemoval();
      return { job: startImportRemoval(context, site, id, reason).id };
    },
    addStatement: async ({ input }) => (await loadStatements()).enterBankStatement(context, input),
    removeStatement: async ({ input }) => {
      (await loadStatements()).removeBankStatement(context, input);
      return {};
    },
    saveProfile: async ({ input }) =>
      (await loadAccounts()).saveBankProfile(context, input.site, input.profile),
    removeProfile: async ({ input }) => {
      (await loadAccounts()).deleteBankProfile(context, input.site, input.name);
      return {};
    },
  });
}
