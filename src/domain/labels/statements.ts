/** Labels of statements and subscription activity, shared by the window, the command line and the reports. */
export const statementStateLabels = { open: 'Open', unpaid: 'Unpaid', paid: 'Paid' } as const;

export const statementMilestoneLabels = {
  opened: 'Statement opened',
  closed: 'Statement closed',
  settled: 'Statement settled',
} as const;

/** Labels of the columns with a statement's amounts. */
export const statementFigureLabels = {
  opening: 'Opening balance',
  charges: 'Charges',
  payments: 'Payments',
  other: 'Credits and adjustments',
  closing: 'Closing balance',
} as const;

/** Labels of the parts of a statement in which search text was found. */
export const searchSourceLabels = { pdf: 'PDF', text: 'Text', memo: 'Memo' } as const;

/** Labels of the kinds of entry in a subscription's activity. */
export const activityKindLabels = {
  statement: 'Statements',
  transaction: 'Transactions',
  event: 'Events',
  allocation: 'Allocations',
  webhook: 'Webhooks',
  exception: 'Exceptions',
} as const;
