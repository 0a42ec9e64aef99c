import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { unsearched } from '../../store/search.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).search;

export function searchQueries({ stores }: ReaderContext) {
  return {
    unsearched: on.unsearched.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => unsearched(cache)),
    ),
  };
}
