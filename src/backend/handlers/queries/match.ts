import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).match;

const loadGroups = () => import('../../store/matching/match-group-list.ts');
const loadPayments = () => import('../../store/matching/match-payment-list.ts');
const loadRuns = () => import('../../store/matching/match-run.ts');
const loadPayouts = () => import('../../store/matching/match-payout.ts');
const loadStoredRules = () => import('../../store/matching/match-rule.ts');
const loadRules = () => import('../../matching/match-rules.ts');
const loadDetail = () => import('../../matching/match-detail.ts');
const loadSummary = () => import('../../matching/match-summary.ts');
const loadPasses = () => import('../../matching/matching-passes.ts');

export function matchQueries({ stores }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    summary: on.summary.handler(
      queryWith(loadSummary, ({ readMatchSummary }, site) => readMatchSummary(site)),
    ),
    passes: on.passes.handler(queryWith(loadPasses, ({ passes }) => [...passes])),
    runs: on.runs.handler(queryWith(loadRuns, ({ listRuns }, { books }, input) => listRuns(books, input))),
    getRun: on.getRun.handler(async ({ input }) => {
      const { runById, runOfJob } = await loadRuns();
      const run = stores.read(input.site, ({ books }) =>
        'id' in input ? runById(books, input.id) : runOfJob(books, input.job),
      );
      return requireFound(run, 'such run', 'See the list of runs for those there are.');
    }),
    list: on.list.handler(
      queryWith(loadGroups, ({ listGroups }, { books }, input) => listGroups(books, input)),
    ),
    marks: on.marks.handler(
      queryWith(loadGroups, ({ groupMarks }, { books }, input) => groupMarks(books, input)),
    ),
    get: on.get.handler(async ({ input: { site, id } }) => {
      const { readMatchDetail } = await loadDetail();
      return requireFound(
        stores.read(site, (open) => readMatchDetail(open, id)),
        `match ${id}`,
        'A run may have made the proposals anew: see the list of matches.',
      );
    }),
    payments: on.payments.handler(
      queryWith(loadPayments, ({ listPayments }, { books }, input) => listPayments(books, input)),
    ),
    paymentMarks: on.paymentMarks.handler(
      queryWith(loadPayments, ({ paymentMarks }, { books }, input) => paymentMarks(books, input)),
    ),
    getPayment: on.getPayment.handler(async ({ input: { site, id } }) => {
      const { paymentDetail } = await loadPayments();
      return requireFound(
        stores.read(site, ({ books }) => paymentDetail(books, id)),
        `payment ${id}`,
        'Payments are looked up by the id of their transaction; a run of the matching brings new ones in.',
      );
    }),
    categories: on.categories.handler(
      queryWith(loadRules, ({ listCategories }, { books }) => listCategories(books)),
    ),
    rules: on.rules.handler(queryWith(loadStoredRules, ({ listRules }, { books }) => listRules(books))),
    tryRule: on.tryRule.handler(
      queryWith(loadRules, ({ previewMatchRule }, { books }, { site, limit, ...rule }) =>
        previewMatchRule(books, rule, limit),
      ),
    ),
    payouts: on.payouts.handler(
      queryWith(loadPayouts, ({ listPayouts }, { books }, input) => listPayouts(books, input)),
    ),
    getPayout: on.getPayout.handler(async ({ input: { site, id } }) => {
      const { payoutDetail } = await loadPayouts();
      return requireFound(
        stores.read(site, ({ books }) => payoutDetail(books, id)),
        `payout ${id}`,
        'See the list of payouts for those there are.',
      );
    }),
  };
}
