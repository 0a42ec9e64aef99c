import { changeEventProcedures } from '../../../contract/app/change-events.ts';
import { searchProcedures } from '../../../contract/app/search.ts';
import { settingsProcedures } from '../../../contract/app/settings.ts';
import { siteProcedures } from '../../../contract/app/sites.ts';
import { syncProcedures } from '../../../contract/app/sync.ts';
import { checkProcedures } from '../../../contract/checks/checks.ts';
import { exceptionProcedures } from '../../../contract/checks/exceptions.ts';
import { statementProcedures } from '../../../contract/statements/statements.ts';
import { providePdf } from '../../archive/provide-pdf.ts';
import { startCheck } from '../../checks/check-jobs.ts';
import { acceptExceptions, assignExceptions, reopenExceptions } from '../../checks/exception-decisions.ts';
import { switchCheckRule } from '../../checks/switch-check-rule.ts';
import { recompute } from '../../recomputation/recompute.ts';
import { setSharedKey } from '../../site-setup/shared-key.ts';
import {
  addSite,
  readWebhookEndpoints,
  removeSite,
  replaceApiKey,
  testSite,
  updateSite,
} from '../../site-setup/site-setup.ts';
import { writeAppSetting } from '../../sites/app-settings.ts';
import { startSync } from '../../sync/start-sync.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

export const siteCommands = (context: WriterContext) =>
  implementProcedures(siteProcedures, {
    add: ({ input, signal }) => addSite(context, input, signal),
    test: ({ input, signal }) => testSite(context, input, signal),
    update: ({ input }) => updateSite(context, input),
    replaceKey: ({ input, signal }) => replaceApiKey(context, input, signal),
    setSharedKey: ({ input }) => setSharedKey(context, input),
    endpoints: ({ input, signal }) => readWebhookEndpoints(context, input.site, signal),
    remove: ({ input }) => removeSite(context, input),
  });

export const syncCommands = (context: WriterContext) =>
  implementProcedures(syncProcedures, {
    start: ({ input }) => ({ job: startSync(context, input).id }),
    schedule: ({ input: { site, schedule } }) => {
      context.stores.open(site);
      if (schedule === null) context.schedules.end(site);
      else context.schedules.save(site, schedule);
      return {};
    },
  });

export const statementCommands = (context: WriterContext) =>
  implementProcedures(statementProcedures, {
    fetchPdf: ({ input, signal }) => providePdf(context, input, signal),
  });

export const checkCommands = (context: WriterContext) =>
  implementProcedures(checkProcedures, {
    start: ({ input }) => ({ job: startCheck(context, input.site).id }),
    switch: ({ input }) => switchCheckRule(context, input),
    recompute: ({ input, signal }) => recompute(context, input.site, signal),
  });

export const exceptionCommands = (context: WriterContext) =>
  implementProcedures(exceptionProcedures, {
    assign: ({ input }) => assignExceptions(context, input),
    accept: ({ input }) => acceptExceptions(context, input),
    reopen: ({ input }) => reopenExceptions(context, input),
  });

export const searchCommands = ({ indexing }: WriterContext) =>
  implementProcedures(searchProcedures, {
    catchUp: ({ input: { site, of }, signal }) => indexing.catchUp(site, of, signal),
  });

export const settingsCommands = ({ home, changes }: WriterContext) =>
  implementProcedures(settingsProcedures, {
    set: ({ input }) => {
      const settings = writeAppSetting(home, input.key, input.value);
      changes.emit(null, 'settings');
      return settings;
    },
  });

export const changeEventStreams = ({ changes }: WriterContext) =>
  implementProcedures(changeEventProcedures, { watch: ({ signal }) => changes.watch(signal) });
