import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { listAllocations } from '../../store/allocationList.ts';
import { listPairs, pairMarks } from '../../store/pairList.ts';
import type { ReaderContext } from '../readerContext.ts';

const on = implement(contract).allocations;

export function allocationQueries({ stores }: ReaderContext) {
  return {
    pairs: on.pairs.handler(({ input }) => stores.read(input.site, ({ cache }) => listPairs(cache, input))),
    pairMarks: on.pairMarks.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => pairMarks(cache, input)),
    ),
    list: on.list.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => listAllocations(cache, input)),
    ),
  };
}
