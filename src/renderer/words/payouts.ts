import { counted, countText } from './numbers.ts';

export const payoutWords = {
  title: 'Payouts',
  grid: 'Payouts',
  search: 'Search payouts',
  columns: {
    paid: 'Paid out',
    payout: 'Payout',
    account: 'Processor',
    lines: 'Lines',
    gross: 'Payments',
    fees: 'Fees',
    net: 'Net',
    deposited: 'At the bank',
    unexplained: 'Unexplained',
    state: 'Deposit',
  },
  filters: { account: 'Processor', is: 'Deposit', paid: 'Paid out' },
  is: { waiting: 'Not found', deposited: 'Found', unexplained: 'With a remainder' },
  states: {
    confirmed: 'Found',
    suggested: 'Suggested',
    ambiguous: 'Ambiguous',
    none: 'Not found',
  },
  detail: (id: number) => `Payout ${id}`,
  notHeld: 'This payout is not held any more: its import was taken back.',
  bridge: 'From gross to net',
  entries: (count: number) => counted(count, 'row'),
  net: 'Net of its rows',
  stated: 'The report says was paid out',
  deposited: 'Arrived at the bank',
  notDeposited: 'not found yet',
  unexplained: 'Unexplained remainder',
  deposit: 'Its deposit',
  noDeposit:
    'No deposit at the bank is matched to it yet. It may still be on its way, or the bank’s file is missing.',
  openLine: (day: string, account: string) => `${day}, ${account}`,
  openMatch: (id: number) => `Match ${id}`,
  payments: 'Its payments',
  paymentsMatched: (matched: number, all: number) =>
    matched === all
      ? all === 1
        ? 'Its one payment stands in the statements.'
        : `All ${counted(all, 'payment')} stand in the statements.`
      : `${countText(matched)} of ${counted(all, 'payment')} stand in the statements.`,
  showUnmatched: (count: number) => `Show the ${countText(count)} that do not`,
  showAll: 'Show all rows',
  rows: 'Rows of the payout',
  moreRows: (count: number) => `Show ${countText(count)} more`,
  emptyTitle: 'No payouts yet',
  emptyText:
    'Import the payout report of a payment processor: its batches are set beside the deposits of the bank.',
  noneTitle: 'No payout fits',
  noneText: 'No payout matches these filters.',
  standing: (waiting: number, total: number) =>
    waiting === 0
      ? `all ${countText(total)} found at the bank`
      : `${countText(waiting)} of ${countText(total)} not found at the bank`,
};
