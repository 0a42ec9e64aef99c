import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { startSync } from '../../sync/sync.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).sync;

export function syncCommands(context: WriterContext) {
  return {
    start: on.start.handler(({ input }) => ({ job: startSync(context, input).id })),
    schedule: on.schedule.handler(({ input: { site, schedule } }) => {
      context.stores.open(site);
      if (schedule === null) context.schedules.end(site);
      else context.schedules.save(site, schedule);
      return {};
    }),
  };
}
