import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).bank;

// The file parsers are loaded on first use, because most commands do not need them.
const accounts = () => import('../../bank/accounts.ts');
const plans = () => import('../../bank/plan.ts');
const rows = () => import('../../bank/plan-rows.ts');
const imports = () => import('../../bank/apply.ts');
const removal = () => import('../../bank/remove.ts');

export function bankCommands(context: WriterContext) {
  const { stores, desk } = context;
  return {
    saveAccount: on.saveAccount.handler(async ({ input }) => (await accounts()).saveAccount(context, input)),
    removeAccount: on.removeAccount.handler(async ({ input }) => {
      (await accounts()).deleteAccount(context, input.site, input.id);
      return {};
    }),
    upload: on.upload.handler(({ input }) => {
      const { id, bytes } = desk.uploads.take(stores.open(input.site).folder, input);
      return { upload: id, bytes };
    }),
    plan: on.plan.handler(async ({ input }) => {
      const { site } = input;
      const { createImportPlan } = await plans();
      const upload = desk.uploads.get(site, input.upload);
      const today = new Date(context.now()).toISOString().slice(0, 10);
      const plan = await createImportPlan({ site, open: stores.open(site), upload, today }, input);
      desk.keep(plan);
      return { plan: plan.id, ...plan.shown };
    }),
    planRows: on.planRows.handler(async ({ input }) => {
      const { listPlanPage } = await rows();
      return listPlanPage(desk.plan(input.site, input.plan), input);
    }),
    import: on.import.handler(async ({ input: { site, plan } }) => {
      const { startImport } = await imports();
      return { job: startImport(context, site, plan).id };
    }),
    removeImport: on.removeImport.handler(async ({ input: { site, id, reason } }) => {
      const { startImportRemoval } = await removal();
      return { job: startImportRemoval(context, site, id, reason).id };
    }),
    saveProfile: on.saveProfile.handler(async ({ input }) =>
      (await accounts()).saveBankProfile(context, input.site, input.profile),
    ),
    removeProfile: on.removeProfile.handler(async ({ input }) => {
      (await accounts()).deleteBankProfile(context, input.site, input.name);
      return {};
    }),
  };
}
