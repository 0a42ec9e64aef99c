import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).periods;

// The sign-off code is loaded on first use, because periods are rarely signed.
const loadSign = () => import('../../periods/sign-period.ts');
const loadClosing = () => import('../../periods/close-period.ts');
const loadComparison = () => import('../../periods/comparison-job.ts');
const loadItems = () => import('../../periods/explain-items.ts');

export function periodCommands(context: WriterContext) {
  return {
    open: on.open.handler(async ({ input }) => (await loadSign()).openPeriod(context, input)),
    submit: on.submit.handler(async ({ input }) => (await loadSign()).submitPeriod(context, input)),
    review: on.review.handler(async ({ input }) => (await loadSign()).reviewPeriod(context, input)),
    close: on.close.handler(async ({ input }) => ({
      job: (await loadClosing()).startClosingJob(context, input).id,
    })),
    reopen: on.reopen.handler(async ({ input }) => (await loadSign()).reopenPeriod(context, input)),
    note: on.note.handler(async ({ input }) => (await loadSign()).addPeriodNote(context, input)),
    explain: on.explain.handler(async ({ input }) =>
      (await loadItems()).explainOutstandingItems(context, input),
    ),
    compare: on.compare.handler(async ({ input }) => ({
      job: (await loadComparison()).startComparisonJob(context, input.site).id,
    })),
  };
}
