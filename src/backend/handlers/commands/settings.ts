import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { writeAppSetting } from '../../sites/app-settings.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).settings;

export function settingsCommands({ home, changes }: WriterContext) {
  return {
    set: on.set.handler(({ input }) => {
      const all = writeAppSetting(home, input.key, input.value);
      changes.emit(null, 'settings');
      return all;
    }),
  };
}
