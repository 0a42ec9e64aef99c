import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { draftAsItIs } from '../../jobs/worked-on.ts';
import { storedChange } from '../../store/allocations/allocation-draft.ts';
import {
  draftOf,
  listChanges,
  listDrafts,
  shownChange,
} from '../../store/allocations/allocation-draft-list.ts';
import { listAllocations } from '../../store/allocations/allocation-list.ts';
import { listPairs, pairMarks } from '../../store/allocations/pair-list.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

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
    drafts: on.drafts.handler(({ input: { site, limit } }) =>
      stores.read(site, ({ books, folder }) =>
        listDrafts(books, site, limit).map((draft) => draftAsItIs(draft, folder)),
      ),
    ),
    getDraft: on.getDraft.handler(({ input: { site, draft } }) =>
      found(
        stores.read(site, ({ books, folder }) => {
          const kept = draftOf(books, site, draft);
          return kept === null ? null : draftAsItIs(kept, folder);
        }),
        `draft ${draft}`,
        'See the site’s drafts for those there are.',
      ),
    ),
    getChange: on.getChange.handler(({ input: { site, draft, ordinal } }) =>
      found(
        stores.read(site, ({ books, cache }) => {
          const change = storedChange(books, draft, ordinal);
          return change === null ? null : shownChange(books, cache, change);
        }),
        `change ${ordinal + 1} of draft ${draft}`,
        'See the draft’s changes for those there are.',
      ),
    ),
    changes: on.changes.handler(({ input }) =>
      stores.read(input.site, ({ books, cache }) => listChanges(books, cache, input)),
    ),
  };
}
