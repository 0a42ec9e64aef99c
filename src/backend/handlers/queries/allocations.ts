import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import { getActualDraftState } from '../../sites/actual-job-state.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { storedChange } from '../../store/allocations/allocation-draft.ts';
import {
  draftOf,
  listChanges,
  listDrafts,
  shownChange,
} from '../../store/allocations/allocation-draft-list.ts';
import { listAllocations } from '../../store/allocations/allocation-list.ts';
import {
  componentMarks,
  listSubscriptionComponents,
} from '../../store/allocations/subscription-component-list.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).allocations;

export function allocationQueries({ stores }: ReaderContext) {
  const { query } = createSiteQueries(stores);
  return {
    components: on.components.handler(query(({ cache }, input) => listSubscriptionComponents(cache, input))),
    componentMarks: on.componentMarks.handler(query(({ cache }, input) => componentMarks(cache, input))),
    list: on.list.handler(query(({ cache }, input) => listAllocations(cache, input))),
    drafts: on.drafts.handler(
      query(({ books, folder }, { site, limit }) =>
        listDrafts(books, site, limit).map((draft) => getActualDraftState(draft, folder)),
      ),
    ),
    getDraft: on.getDraft.handler(({ input: { site, draft } }) =>
      requireFound(
        stores.read(site, ({ books, folder }) => {
          const kept = draftOf(books, site, draft);
          return kept === null ? null : getActualDraftState(kept, folder);
        }),
        `draft ${draft}`,
        'See the site’s drafts for those there are.',
      ),
    ),
    getChange: on.getChange.handler(({ input: { site, draft, ordinal } }) =>
      requireFound(
        stores.read(site, ({ books, cache }) => {
          const change = storedChange(books, draft, ordinal);
          return change === null ? null : shownChange(books, cache, change);
        }),
        `change ${ordinal + 1} of draft ${draft}`,
        'See the draft’s changes for those there are.',
      ),
    ),
    changes: on.changes.handler(query(({ books, cache }, input) => listChanges(books, cache, input))),
  };
}
