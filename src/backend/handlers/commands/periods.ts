import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).periods;

// The sign-off code is loaded on first use, because periods are rarely signed.
const sign = () => import('../../periods/sign.ts');
const closing = () => import('../../periods/close.ts');
const comparing = () => import('../../periods/comparing.ts');
const items = () => import('../../periods/items.ts');

export function periodCommands(context: WriterContext) {
  return {
    open: on.open.handler(async ({ input }) => (await sign()).openPeriod(context, input)),
    submit: on.submit.handler(async ({ input }) => (await sign()).submitPeriod(context, input)),
    review: on.review.handler(async ({ input }) => (await sign()).reviewPeriod(context, input)),
    close: on.close.handler(async ({ input }) => ({
      job: (await closing()).startClosingJob(context, input).id,
    })),
    reopen: on.reopen.handler(async ({ input }) => (await sign()).reopenPeriod(context, input)),
    note: on.note.handler(async ({ input }) => (await sign()).addPeriodNote(context, input)),
    explain: on.explain.handler(async ({ input }) => (await items()).explainOutstandingItems(context, input)),
    compare: on.compare.handler(async ({ input }) => ({
      job: (await comparing()).startComparisonJob(context, input.site).id,
    })),
  };
}
