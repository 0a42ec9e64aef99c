import { replayProcedures } from '../../../contract/webhooks/replay.ts';
import { offerReplayReport } from '../../replay/replay-report.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { getActualReplayState } from '../../sites/actual-job-state.ts';
import { listReplayErrors } from '../../store/replay/replay-figures.ts';
import {
  getReplay,
  listReplayItems,
  listReplayPlans,
  listReplays,
  readReplayItemPageCursors,
} from '../../store/replay/replay-list.ts';
import { listReplayPlanItems } from '../../store/replay/replay-plan-items.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const replayQueries = ({ query, ...context }: QueryContext) =>
  implementProcedures(replayProcedures, {
    plans: query(({ books }, { site }) => listReplayPlans(books, site)),
    list: query(({ books, folder }, { site }) =>
      listReplays(books, site).map((replay) => getActualReplayState(replay, folder)),
    ),
    get: query(({ books, folder }, { site, job }) => {
      const replay = requireRecord(getReplay(books, site, job), `replay ${job}`, 'See the list of replays.');
      return getActualReplayState(replay, folder);
    }),
    planItems: query(({ books }, input) => listReplayPlanItems(books, input)),
    errors: query(({ books }, { job }) => listReplayErrors(books, job)),
    report: ({ input }) => offerReplayReport(context, input),
    itemMarks: query(({ books }, input) => readReplayItemPageCursors(books, input)),
    items: query(({ books }, input) => listReplayItems(books, input)),
  });
