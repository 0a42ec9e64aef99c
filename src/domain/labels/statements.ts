/** Labels of statements and subscription activity, shared by the window, the command line and the reports. */
export const statementStateLabels = { open: 'Open', unpaid: 'Unpaid', paid: 'Paid' } as const;

export const statementMilestoneLabels = {
  opened: 'Statement opened',
  closed: 'Statement closed',
  settled: 'Statement settled',
} as const;

export const statementFigureLabels = {
  opening: 'Opening balance',
  charges: 'Charges',
  payments: 'Payments',
  other: 'Credits and adjustments',
  closing: 'Closing balance',
} as const;

/** Labels of the parts of a statement in which search text was found. */
export const searchSourceLabels = { pdf: 'PDF', text: 'Text', memo: 'Memo' } as const;

export const activityKindLabels = {
  statement: 'Statements',
  transaction: 'Transactions',
  event: 'Events',
  allocation: 'Allocations',
  webhook: 'Webhooks',
  exception: 'Exceptions',
} as const;
