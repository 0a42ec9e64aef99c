import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).match;

const groups = () => import('../../store/matching/match-group-list.ts');
const payments = () => import('../../store/matching/match-payment-list.ts');
const runs = () => import('../../store/matching/match-run.ts');
const payouts = () => import('../../store/matching/match-payout.ts');
const ruleList = () => import('../../store/matching/match-rule.ts');
const rules = () => import('../../matching/rules.ts');
const details = () => import('../../matching/detail.ts');
const summaries = () => import('../../matching/summary.ts');
const words = () => import('../../matching/passes.ts');

export function matchQueries({ stores }: ReaderContext) {
  return {
    summary: on.summary.handler(async ({ input }) => {
      const { matchSummary } = await summaries();
      return stores.read(input.site, (site) => matchSummary(site));
    }),
    passes: on.passes.handler(async ({ input }) => {
      const { passes } = await words();
      return stores.read(input.site, () => [...passes]);
    }),
    runs: on.runs.handler(async ({ input }) => {
      const { listRuns } = await runs();
      return stores.read(input.site, ({ books }) => listRuns(books, input));
    }),
    getRun: on.getRun.handler(async ({ input }) => {
      const { runById, runOfJob } = await runs();
      const run = stores.read(input.site, ({ books }) =>
        'id' in input ? runById(books, input.id) : runOfJob(books, input.job),
      );
      return found(run, 'such run', 'See the list of runs for those there are.');
    }),
    list: on.list.handler(async ({ input }) => {
      const { listGroups } = await groups();
      return stores.read(input.site, ({ books }) => listGroups(books, input));
    }),
    marks: on.marks.handler(async ({ input }) => {
      const { groupMarks } = await groups();
      return stores.read(input.site, ({ books }) => groupMarks(books, input));
    }),
    get: on.get.handler(async ({ input: { site, id } }) => {
      const { groupDetail } = await details();
      return found(
        stores.read(site, (open) => groupDetail(open, id)),
        `match ${id}`,
        'A run may have made the proposals anew: see the list of matches.',
      );
    }),
    payments: on.payments.handler(async ({ input }) => {
      const { listPayments } = await payments();
      return stores.read(input.site, ({ books }) => listPayments(books, input));
    }),
    paymentMarks: on.paymentMarks.handler(async ({ input }) => {
      const { paymentMarks } = await payments();
      return stores.read(input.site, ({ books }) => paymentMarks(books, input));
    }),
    getPayment: on.getPayment.handler(async ({ input: { site, id } }) => {
      const { paymentDetail } = await payments();
      return found(
        stores.read(site, ({ books }) => paymentDetail(books, id)),
        `payment ${id}`,
        'Payments are looked up by the id of their transaction; a run of the matching brings new ones in.',
      );
    }),
    categories: on.categories.handler(async ({ input }) => {
      const { categories } = await rules();
      return stores.read(input.site, ({ books }) => categories(books));
    }),
    rules: on.rules.handler(async ({ input }) => {
      const { listRules } = await ruleList();
      return stores.read(input.site, ({ books }) => listRules(books));
    }),
    tryRule: on.tryRule.handler(async ({ input: { site, limit, ...rule } }) => {
      const { tryRule } = await rules();
      return stores.read(site, ({ books }) => tryRule(books, rule, limit));
    }),
    payouts: on.payouts.handler(async ({ input }) => {
      const { listPayouts } = await payouts();
      return stores.read(input.site, ({ books }) => listPayouts(books, input));
    }),
    getPayout: on.getPayout.handler(async ({ input: { site, id } }) => {
      const { payoutDetail } = await payouts();
      return found(
        stores.read(site, ({ books }) => payoutDetail(books, id)),
        `payout ${id}`,
        'See the list of payouts for those there are.',
      );
    }),
  };
}
