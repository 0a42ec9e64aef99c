import { providePdf } from '../../archive/provide-pdf.ts';
import { startCheck } from '../../checks/check-jobs.ts';
import { acceptExceptions, assignExceptions, reopenExceptions } from '../../checks/exception-decisions.ts';
import { switchCheckRule } from '../../checks/switch-check-rule.ts';
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
  implementProcedures('sites', {
    add: ({ input, signal }) => addSite(context, input, signal),
    test: ({ input, signal }) => testSite(context, input, signal),
    update: ({ input }) => updateSite(context, input),
    replaceKey: ({ input, signal }) => replaceApiKey(context, input, signal),
    setSharedKey: ({ input }) => setSharedKey(context, input),
    endpoints: ({ input, signal }) => readWebhookEndpoints(context, input.site, signal),
    remove: ({ input }) => removeSite(context, input),
  });

export const syncCommands = (context: WriterContext) =>
  implementProcedures('sync', {
    start: ({ input }) => ({ job: startSync(context, input).id }),
    schedule: ({ input: { site, schedule } }) => {
      context.stores.open(site);
      if (schedule === null) context.schedules.end(site);
      else context.schedules.save(site, schedule);
      return {};
    },
  });

export const statementCommands = (context: WriterContext) =>
  implementProcedures('statements', {
    fetchPdf: ({ input, signal }) => providePdf(context, input, signal),
  });

export const checkCommands = (context: WriterContext) =>
  implementProcedures('check', {
    start: ({ input }) => ({ job: startCheck(context, input.site).id }),
    switch: ({ input }) => switchCheckRule(context, input),
  });

export const exceptionCommands = (context: WriterContext) =>
  implementProcedures('exceptions', {
    assign: ({ input }) => assignExceptions(context, input),
    accept: ({ input }) => acceptExceptions(context, input),
    reopen: ({ input }) => reopenExceptions(context, input),
  });

export const searchCommands = ({ indexing }: WriterContext) =>
  implementProcedures('search', {
    catchUp: ({ input: { site, of }, signal }) => indexing.catchUp(site, of, signal),
  });

export const settingsCommands = ({ home, changes }: WriterContext) =>
  implementProcedures('settings', {
    set: ({ input }) => {
      const settings = writeAppSetting(home, input.key, input.value);
      changes.emit(null, 'settings');
      return settings;
    },
  });

export const changeEventStreams = ({ changes }: WriterContext) =>
  implementProcedures('changes', { watch: ({ signal }) => changes.watch(signal) });
