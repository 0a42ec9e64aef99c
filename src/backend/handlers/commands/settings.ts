import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { writeSetting } from '../../sites/settingsFile.ts';
import type { WriterContext } from '../../writerContext.ts';

const on = implement(contract).settings;

export function settingsCommands({ home, changes }: WriterContext) {
  return {
    set: on.set.handler(({ input }) => {
      const all = writeSetting(home, input.key, input.value);
      changes.tell(null, 'settings');
      return all;
    }),
  };
}
