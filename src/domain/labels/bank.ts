import { formatMoney } from '../ledger/index.ts';
import { formatCount } from '../text/format-count.ts';

/** Labels of bank lines, imports and accounts, shared by the window, the command line and the reports. */
export const matchStateLabels = {
  open: 'Unmatched',
  ambiguous: 'Ambiguous',
  suggested: 'Suggested',
  partial: 'Partly matched',
  matched: 'Matched',
  ignored: 'Out of scope',
} as const;

export const bankLineKindLabels = {
  entry: 'Entry',
  payment: 'Payment',
  refund: 'Refund',
  chargeback: 'Chargeback',
  fee: 'Fee',
  payout: 'Payout',
  reserve: 'Reserve',
  fx: 'Currency exchange',
  adjustment: 'Adjustment',
  transfer: 'Transfer',
  interest: 'Interest',
} as const;

export const bankAccountKindLabels = {
  bank: 'Bank account',
  processor: 'Payment processor',
  ledger: 'Accounting ledger',
} as const;

export const bankImportStateLabels = { adding: 'In progress', done: 'Imported', removed: 'Removed' } as const;

export const bankImportRowLabels = {
  new: 'New',
  duplicate: 'Duplicate',
  failed: 'Unreadable',
  skipped: 'Skipped',
} as const;

export const paymentKindLabels = { payment: 'Payment', refund: 'Refund' } as const;

/** Labels of the states of the search for a payout's deposit at the bank. */
export const depositStateLabels = {
  confirmed: 'Confirmed',
  suggested: 'Suggested',
  ambiguous: 'Ambiguous',
  none: 'Not found',
} as const;

/** Says, without a period, whether a bank statement foots and joins the previous one of its account. */
export function describeBankStatementContinuity(statement: {
  readonly gap_in_cents: number | null;
  readonly difference_in_cents: number | null;
  readonly days_between: number;
  readonly missing_numbers: number | null;
}): string {
  const {
    gap_in_cents: gap,
    difference_in_cents: difference,
    days_between: days,
    missing_numbers,
  } = statement;
  const parts = [
    gap === null
      ? 'First statement, or a balance is missing'
      : gap === 0
        ? 'Joins the previous statement'
        : `Opening balance differs by ${formatMoney(gap)} from the previous closing balance`,
    days > 0 && gap !== 0 && `${formatCount(days, 'day')} in between not covered`,
    missing_numbers !== null &&
      missing_numbers > 0 &&
      `${formatCount(missing_numbers, 'statement')} missing by number`,
    difference !== null && difference !== 0 && `lines differ from the balances by ${formatMoney(difference)}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}
