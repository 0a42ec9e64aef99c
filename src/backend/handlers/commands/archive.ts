import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { startArchiveCheck, startMend } from '../../archive/check.ts';
import { startFetch } from '../../archive/fetchMissing.ts';
import { planExport } from '../../archive/planExport.ts';
import { startExport } from '../../archive/runExport.ts';
import type { WriterContext } from '../../writerContext.ts';

const on = implement(contract).archive;

export function archiveCommands(context: WriterContext) {
  const { stores, changes, now, user } = context;
  return {
    plan: on.plan.handler(async ({ input }) => {
      const planned = await planExport(stores.open(input.site), input, { now: now(), user });
      changes.tell(input.site, 'archive', 'audit');
      return planned;
    }),
    export: on.export.handler(({ input }) => ({ job: startExport(context, input.site, input.export).id })),
    fetch: on.fetch.handler(({ input }) => ({ job: startFetch(context, input.site, input.filter).id })),
    check: on.check.handler(({ input }) => ({ job: startArchiveCheck(context, input.site, input.all).id })),
    mend: on.mend.handler(({ input }) => ({ job: startMend(context, input.site).id })),
  };
}
