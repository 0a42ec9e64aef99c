import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).packs;

const loadRestore = () => import('../../evidence-pack/restore-decisions.ts');
const loadWrite = () => import('../../evidence-pack/write-pack.ts');

export function packCommands(context: WriterContext) {
  return {
    write: on.write.handler(async ({ input }) => {
      const { startPackJob } = await loadWrite();
      return { job: (await startPackJob(context, input)).id };
    }),
    compareDecisions: on.compareDecisions.handler(async ({ input, signal = new AbortController().signal }) =>
      (await loadRestore()).compareDecisions(context, input, signal),
    ),
    restoreDecisions: on.restoreDecisions.handler(async ({ input, signal = new AbortController().signal }) =>
      (await loadRestore()).restoreDecisions(context, input, signal),
    ),
  };
}
