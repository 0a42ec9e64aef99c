import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from '../../writerContext.ts';

const on = implement(contract).packs;

const writing = () => import('../../pack/writePack.ts');

export function packCommands(context: WriterContext) {
  return {
    write: on.write.handler(async ({ input }) => {
      const { startPack } = await writing();
      return { job: (await startPack(context, input)).id };
    }),
  };
}
