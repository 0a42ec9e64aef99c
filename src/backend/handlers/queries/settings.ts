import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { readAppSettings } from '../../sites/app-settings.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';

const on = implement(contract).settings;

export function settingsQueries({ home }: ReaderContext) {
  return { all: on.all.handler(() => readAppSettings(home)) };
}
