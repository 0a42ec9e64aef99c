import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { startSync } from '../../sync/sync.ts';
import type { WriterContext } from '../../writerContext.ts';

const on = implement(contract).sync;

export function syncCommands(context: WriterContext) {
  return {
    start: on.start.handler(({ input }) => ({ job: startSync(context, input).id })),
  };
}
