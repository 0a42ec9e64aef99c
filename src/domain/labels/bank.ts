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
