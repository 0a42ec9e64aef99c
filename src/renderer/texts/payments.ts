import { depositStateLabels, paymentKindLabels } from '../../domain/labels/bank.ts';
import {
  describeTrailDetail,
  describeTrailTitle,
  emptyTrailSteps,
  trailLedgerNote,
  trailStepLabels,
} from '../../domain/labels/payment-trail.ts';
import { commonFieldTitles } from './common-titles.ts';
import { formatCount, formatCountWithNoun } from './numbers.ts';

export const paymentTexts = {
  grid: 'Payments',
  search: 'Search customers, memos, IDs or an amount',
  columns: { ...commonFieldTitles, paid: 'Payment date', open: 'Unmatched', gateway: 'Gateway ID' },
  filters: { state: 'Status', kind: 'Type', paid: 'Payment date', vanished: 'On a statement' },
  vanishedOrNot: { yes: 'No', no: 'Yes' },
  kinds: { payment: 'Payments', refund: 'Refunds' },
  kind: paymentKindLabels,
  detail: (id: number) => `Payment ${id}`,
  notFound: 'This payment is no longer stored.',
  vanished: 'This payment is no longer on any of the service’s statements.',
  open: 'Unmatched',
  source: 'Source',
  emptyTitle: 'No payments yet',
  emptyText: 'Run matching to load the payments from the synced statements.',
  noneTitle: 'No matching payments',
  noneText: 'No payment matches these filters.',
  trail: {
    title: 'Trail of the payment',
    show: 'Show trail',
    none: 'This record belongs to no payment.',
    steps: trailStepLabels,
    emptySteps: emptyTrailSteps,
    describeDetail: describeTrailDetail,
    describeTitle: describeTrailTitle,
    ledgerNote: trailLedgerNote,
    more: 'There are more records than shown.',
    payment: (id: number) => `Payment ${id}`,
    payments: (count: number) => `Belongs to ${formatCountWithNoun(count, 'payment')}. Choose one:`,
  },
};

export const payoutTexts = {
  title: 'Payouts',
  grid: 'Payouts',
  search: 'Search payouts',
  columns: {
    paid: 'Payout date',
    payout: 'Payout',
    account: 'Processor',
    lines: 'Lines',
    gross: 'Payments',
    fees: 'Fees',
    other: 'Other',
    net: 'Net',
    deposited: 'Deposited',
    unexplained: 'Unexplained',
    state: 'Deposit',
  },
  filters: { account: 'Processor', is: 'Deposit', paid: 'Payout date' },
  is: { waiting: 'Not found', deposited: 'Found', unexplained: 'With unexplained difference' },
  states: depositStateLabels,
  detail: (id: number) => `Payout ${id}`,
  notFound: 'This payout is no longer stored because its import was removed.',
  bridge: 'Gross-to-net bridge',
  rowCount: (count: number) => formatCountWithNoun(count, 'row'),
  net: 'Net of all rows',
  stated: 'Payout amount in the report',
  deposited: 'Deposited at the bank',
  notDeposited: 'Not found yet',
  unexplained: 'Unexplained difference',
  deposit: 'Bank deposit',
  noDeposit:
    'No bank deposit is matched to this payout yet. It may still be in transit, or the bank file may be missing.',
  openLine: (day: string, account: string) => `${day}, ${account}`,
  openMatch: (id: number) => `Match ${id}`,
  payments: 'Payments',
  paymentsMatched: (matched: number, all: number) =>
    matched === all
      ? all === 1
        ? 'The payment is matched to a statement.'
        : `All ${formatCount(all)} payments are matched to statements.`
      : `${formatCount(matched)} of ${formatCountWithNoun(all, 'payment')} ${matched === 1 ? 'is' : 'are'} matched to statements.`,
  showUnmatched: (count: number) => `Show ${formatCount(count)} unmatched`,
  showAll: 'Show all rows',
  rows: 'Rows of the payout',
  moreRows: (count: number) => `Show ${formatCount(count)} more`,
  emptyTitle: 'No payouts yet',
  emptyText:
    'Import a payout report from a payment processor. Its payouts are compared with the bank deposits.',
  noneTitle: 'No matching payouts',
  noneText: 'No payout matches these filters.',
  depositSummary: (waiting: number, total: number) =>
    waiting === 0
      ? `all ${formatCount(total)} found at the bank`
      : `${formatCount(waiting)} of ${formatCount(total)} not found at the bank`,
};
