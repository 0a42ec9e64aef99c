import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from '../../writer-context.ts';

const on = implement(contract).periods;

// Periods are signed now and then: what it takes is loaded then.
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
      job: (await closing()).startClosing(context, input).id,
    })),
    reopen: on.reopen.handler(async ({ input }) => (await sign()).reopenPeriod(context, input)),
    note: on.note.handler(async ({ input }) => (await sign()).notePeriod(context, input)),
    explain: on.explain.handler(async ({ input }) => (await items()).explainItems(context, input)),
    compare: on.compare.handler(async ({ input }) => ({
      job: (await comparing()).startComparison(context, input.site).id,
    })),
  };
}
