/** Labels of the general ledger and its journal entries, shared by the window, the command line and the reports. */
export const ledgerAreaLabels = {
  revenue: 'Revenue',
  receivables: 'Receivables',
  clearing: 'Processor clearing',
  fees: 'Processor fees',
  cash: 'Cash at bank',
  chargebacks: 'Chargebacks',
  reserve: 'Processor reserve',
  'write-offs': 'Write-offs',
  'in-transit': 'Payouts in transit',
  exchange: 'Currency exchange',
  'other-income': 'Other receipts',
} as const;

export const ledgerFileKindLabels = { activity: 'Account activity', balances: 'Trial balance' } as const;

export const journalStateLabels = {
  proposed: 'Proposed',
  approved: 'Approved',
  exported: 'Exported',
  posted: 'Posted',
  discarded: 'Discarded',
} as const;

export const journalFormatLabels = {
  quickbooks: 'QuickBooks',
  xero: 'Xero',
  netsuite: 'NetSuite',
  datev: 'DATEV',
  sage: 'Sage',
} as const;
