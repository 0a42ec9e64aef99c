import { allocationProcedures } from '../../../contract/allocations/allocations.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { getActualWorkState } from '../../sites/actual-job-state.ts';
import { findAllocationChange } from '../../store/allocations/allocation-draft.ts';
import {
  getAllocationDraft,
  listAllocationChanges,
  listAllocationDrafts,
  toAllocationChange,
} from '../../store/allocations/allocation-draft-list.ts';
import { listAllocations } from '../../store/allocations/allocation-list.ts';
import {
  listSubscriptionComponents,
  readSubscriptionComponentPageCursors,
} from '../../store/allocations/subscription-component-list.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const allocationQueries = ({ query }: QueryContext) =>
  implementProcedures(allocationProcedures, {
    components: query(({ cache }, input) => listSubscriptionComponents(cache, input)),
    componentMarks: query(({ cache }, input) => readSubscriptionComponentPageCursors(cache, input)),
    list: query(({ cache }, input) => listAllocations(cache, input)),
    drafts: query(({ books, folder }, { site, limit }) =>
      listAllocationDrafts(books, site, limit).map((draft) => getActualWorkState(draft, folder)),
    ),
    getDraft: query(({ books, folder }, { site, draft: id }) => {
      const draft = requireRecord(
        getAllocationDraft(books, site, id),
        `draft ${id}`,
        'See the list of drafts.',
      );
      return getActualWorkState(draft, folder);
    }),
    getChange: query(({ books, cache }, { draft, ordinal }) => {
      const noun = `change ${ordinal + 1} of draft ${draft}`;
      const change = requireRecord(
        findAllocationChange(books, draft, ordinal),
        noun,
        'See the changes of the draft.',
      );
      return toAllocationChange(books, cache, change);
    }),
    changes: query(({ books, cache }, input) => listAllocationChanges(books, cache, input)),
  });
