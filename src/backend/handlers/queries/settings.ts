import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { readSettings } from '../../sites/settings-file.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).settings;

export function settingsQueries({ home }: ReaderContext) {
  return { all: on.all.handler(() => readSettings(home)) };
}
