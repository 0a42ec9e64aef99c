import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).packs;

const restoring = () => import('../../evidence-pack/restore-decisions.ts');
const writing = () => import('../../evidence-pack/write-pack.ts');

export function packCommands(context: WriterContext) {
  return {
    write: on.write.handler(async ({ input }) => {
      const { startPackJob } = await writing();
      return { job: (await startPackJob(context, input)).id };
    }),
    compareDecisions: on.compareDecisions.handler(async ({ input, signal = new AbortController().signal }) =>
      (await restoring()).compareDecisions(context, input, signal),
    ),
    restoreDecisions: on.restoreDecisions.handler(async ({ input, signal = new AbortController().signal }) =>
      (await restoring()).restoreDecisions(context, input, signal),
    ),
  };
}
