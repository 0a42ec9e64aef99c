import type { DateRange } from '../../domain/ledger/index.ts';
import { isMatchFigure } from '../../domain/workpaper/index.ts';
import { listAccountCurrencies } from '../store/workpaper/account-lines.ts';
import {
  type FigureTotal,
  readFigureParts,
  sumMoneyFigures,
  sumUnclaimedPaymentsBefore,
} from '../store/workpaper/workpaper-money.ts';
import {
  isAccountFigure,
  isProcessorFigure,
  readAccountContributions,
  toProcessorFigure,
} from './account-contributions.ts';
import { readBillingContributions } from './billing-contributions.ts';
import type { ContributionSource } from './contribution-source.ts';
import { deferredSource } from './deferred-contributions.ts';
import { createLedgerSource } from './ledger-contributions.ts';
import {
  BEFORE_RECONCILIATION_FIGURE,
  findFirstReconciledDay,
  readContributionsBeforeReconciliation,
  readMatchContributions,
} from './match-contributions.ts';
import { receivableSource } from './receivable-contributions.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

/** Statements and transactions of schedule S1. One pass computes the totals and finds statements that do not foot. */
export const billingContributionSource: ContributionSource = {
  covers: (figure) => figure.startsWith('S1.') && figure !== 'S1.matched',
  read: ({ cache, file }, period) => readBillingContributions(cache, file.currency, period),
};

const matchSource: ContributionSource = {
  covers: isMatchFigure,
  read: ({ books }, period) => readMatchContributions(books, period),
};

const earlierPaymentSource: ContributionSource = {
  covers: (figure) => figure === BEFORE_RECONCILIATION_FIGURE,
  read: ({ books }, period) => readContributionsBeforeReconciliation(books, period),
  isMemo: true,
  *sum({ books }, period) {
    for (const sum of sumUnclaimedPaymentsBefore(books, findFirstReconciledDay(books, period)))
      yield { figure: BEFORE_RECONCILIATION_FIGURE, part: '', ...sum };
  },
};

/** Payments, bank lines and payouts of S1 to S3, also in the processors' schedules. SQL computes the totals. */
const moneySource: ContributionSource = {
  covers: (figure) =>
    isProcessorFigure(figure) ||
    (/^S[123]\./.test(figure) &&
      ![billingContributionSource, matchSource, accountSource, earlierPaymentSource].some(({ covers }) =>
        covers(figure),
      )),
  *read({ books }, period, of) {
    const isOfProcessor = of !== undefined && isProcessorFigure(of.figure);
    for (const part of readFigureParts(books, period, isOfProcessor ? undefined : of)) {
      yield part;
      const ofProcessor = toProcessorFigure(part);
      if (ofProcessor !== null) yield ofProcessor;
    }
  },
  *sum({ books }, period) {
    for (const total of sumMoneyFigures(books, period)) {
      yield total;
      const ofProcessor = toProcessorFigure(total);
      if (ofProcessor !== null) yield ofProcessor;
    }
  },
};

/** Lines and stated balances of each account. */
const accountSource: ContributionSource = {
  covers: isAccountFigure,
  *read({ books }, period, of) {
    const currencies = of === undefined ? listAccountCurrencies(books) : [of.currency];
    for (const currency of currencies) yield* readAccountContributions(books, currency, period);
  },
};

/** Sources of schedules S1 to S3. */
const recordSources: readonly ContributionSource[] = [
  billingContributionSource,
  matchSource,
  moneySource,
  accountSource,
  earlierPaymentSource,
];

export const contributionSources: readonly ContributionSource[] = [
  ...recordSources,
  createLedgerSource(recordSources),
  receivableSource,
  deferredSource,
];

/** Yields the totals that a source computes. Yields null at the end of a step without a total. */
export function* sumContributions(
  source: ContributionSource,
  site: WorkpaperSite,
  period: DateRange,
): Iterable<FigureTotal | null> {
  if (source.sum !== undefined) yield* source.sum(site, period);
  else for (const each of source.read(site, period)) yield each && { ...each, count: 1 };
}
