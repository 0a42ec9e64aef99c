import { matchProcedures } from '../../../contract/matching/matching.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

const loadGroups = () => import('../../store/matching/match-list.ts');
const loadPayments = () => import('../../store/matching/match-payment-list.ts');
const loadRuns = () => import('../../store/matching/match-run.ts');
const loadTrail = () => import('../../matching/read-payment-trail.ts');
const loadPayouts = () => import('../../store/matching/match-payout.ts');
const loadStoredRules = () => import('../../store/matching/match-rule.ts');
const loadRules = () => import('../../matching/match-rules.ts');
const loadCategories = () => import('../../matching/match-categories.ts');
const loadProposedRules = () => import('../../matching/proposed-rules.ts');
const loadDetail = () => import('../../matching/match-detail.ts');
const loadSummary = () => import('../../matching/match-summary.ts');
const loadVerification = () => import('../../matching/verify-stored-matches.ts');
const loadPasses = () => import('../../matching/matching-passes.ts');

const MATCH_HINT = 'A matching run may have replaced the suggestions. See the list of matches.';
const PAYMENT_HINT = 'Payments are identified by their transaction ID. A matching run adds new ones.';

export const matchQueries = ({ queryWith }: QueryContext) =>
  implementProcedures(matchProcedures, {
    summary: queryWith(loadSummary, ({ readMatchSummary }, site) => readMatchSummary(site)),
    passes: queryWith(loadPasses, ({ matchingPasses }) => [...matchingPasses]),
    runs: queryWith(loadRuns, ({ listMatchRuns }, { books }, input) => listMatchRuns(books, input)),
    getRun: queryWith(loadRuns, ({ findMatchRun, findMatchRunByJob }, { books }, input) => {
      const run = 'id' in input ? findMatchRun(books, input.id) : findMatchRunByJob(books, input.job);
      return requireRecord(run, 'such run', 'See the list of matching runs.');
    }),
    list: queryWith(loadGroups, ({ listMatches }, { books }, input) => listMatches(books, input)),
    marks: queryWith(loadGroups, ({ readMatchPageCursors }, { books }, input) =>
      readMatchPageCursors(books, input),
    ),
    get: queryWith(loadDetail, ({ readMatchDetail }, open, { id }) =>
      requireRecord(readMatchDetail(open, id), `match ${id}`, MATCH_HINT),
    ),
    verify: queryWith(loadVerification, ({ verifyStoredMatches }, { books }) => verifyStoredMatches(books)),
    payments: queryWith(loadPayments, ({ listPayments }, { books }, input) => listPayments(books, input)),
    paymentMarks: queryWith(loadPayments, ({ readPaymentPageCursors }, { books }, input) =>
      readPaymentPageCursors(books, input),
    ),
    getPayment: queryWith(loadPayments, ({ getPaymentDetail }, { books }, { id }) =>
      requireRecord(getPaymentDetail(books, id), `payment ${id}`, PAYMENT_HINT),
    ),
    trail: queryWith(loadTrail, ({ readPaymentTrail }, site, input) => readPaymentTrail(site, input)),
    categories: queryWith(loadCategories, ({ listCategories }, { books }) => listCategories(books)),
    rules: queryWith(loadStoredRules, ({ listMatchRules }, { books }) => listMatchRules(books)),
    tryRule: queryWith(loadRules, ({ previewMatchRule }, { books }, { site, limit, ...rule }) =>
      previewMatchRule(books, rule, limit),
    ),
    proposedRules: queryWith(loadProposedRules, ({ listProposedRules }, { books }) =>
      listProposedRules(books),
    ),
    payouts: queryWith(loadPayouts, ({ listPayouts }, { books }, input) => listPayouts(books, input)),
    getPayout: queryWith(loadPayouts, ({ getPayoutDetail }, { books }, { id }) =>
      requireRecord(getPayoutDetail(books, id), `payout ${id}`, 'See the list of payouts.'),
    ),
  });
