import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

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
  const { queryWith } = createSiteQueries(stores);
  return {
    summary: on.summary.handler(queryWith(summaries, ({ matchSummary }, site) => matchSummary(site))),
    passes: on.passes.handler(queryWith(words, ({ passes }) => [...passes])),
    runs: on.runs.handler(queryWith(runs, ({ listRuns }, { books }, input) => listRuns(books, input))),
    getRun: on.getRun.handler(async ({ input }) => {
      const { runById, runOfJob } = await runs();
      const run = stores.read(input.site, ({ books }) =>
        'id' in input ? runById(books, input.id) : runOfJob(books, input.job),
      );
      return requireFound(run, 'such run', 'See the list of runs for those there are.');
    }),
    list: on.list.handler(queryWith(groups, ({ listGroups }, { books }, input) => listGroups(books, input))),
    marks: on.marks.handler(
      queryWith(groups, ({ groupMarks }, { books }, input) => groupMarks(books, input)),
    ),
    get: on.get.handler(async ({ input: { site, id } }) => {
      const { matchDetail } = await details();
      return requireFound(
        stores.read(site, (open) => matchDetail(open, id)),
        `match ${id}`,
        'A run may have made the proposals anew: see the list of matches.',
      );
    }),
    payments: on.payments.handler(
      queryWith(payments, ({ listPayments }, { books }, input) => listPayments(books, input)),
    ),
    paymentMarks: on.paymentMarks.handler(
      queryWith(payments, ({ paymentMarks }, { books }, input) => paymentMarks(books, input)),
    ),
    getPayment: on.getPayment.handler(async ({ input: { site, id } }) => {
      const { paymentDetail } = await payments();
      return requireFound(
        stores.read(site, ({ books }) => paymentDetail(books, id)),
        `payment ${id}`,
        'Payments are looked up by the id of their transaction; a run of the matching brings new ones in.',
      );
    }),
    categories: on.categories.handler(
      queryWith(rules, ({ listCategories }, { books }) => listCategories(books)),
    ),
    rules: on.rules.handler(queryWith(ruleList, ({ listRules }, { books }) => listRules(books))),
    tryRule: on.tryRule.handler(
      queryWith(rules, ({ previewMatchRule }, { books }, { site, limit, ...rule }) =>
        previewMatchRule(books, rule, limit),
      ),
    ),
    payouts: on.payouts.handler(
      queryWith(payouts, ({ listPayouts }, { books }, input) => listPayouts(books, input)),
    ),
    getPayout: on.getPayout.handler(async ({ input: { site, id } }) => {
      const { payoutDetail } = await payouts();
      return requireFound(
        stores.read(site, ({ books }) => payoutDetail(books, id)),
        `payout ${id}`,
        'See the list of payouts for those there are.',
      );
    }),
  };
}
