/** Labels of periods, shared by the window, the command line and the reports. */
export const periodStateLabels = {
  open: 'Open',
  submitted: 'Submitted',
  reviewed: 'Reviewed',
  closed: 'Closed',
} as const;

export const periodActionLabels = {
  opened: 'Opened',
  submitted: 'Submitted',
  rejected: 'Sent back',
  approved: 'Approved',
  closed: 'Closed',
  reopened: 'Reopened',
  commented: 'Comment on a figure',
  answered: 'Comment answered',
  cleared: 'Comment cleared',
  explained: 'Flux explained',
} as const;

/** Labels of the status of a comment on a figure. */
export const figureCommentStatusLabels = { open: 'Open', answered: 'Answered', cleared: 'Cleared' } as const;

/** Titles of the checklist's steps. The step of an account adds the account's name. */
export const checklistStepLabels = {
  sync: 'Sync the records through the month’s end',
  exceptions: 'Decide every exception',
  'bank-files': 'Import bank files that cover the month',
  matching: 'Match the bank lines',
  reconcile: 'Reconcile',
  ledger: 'Import the general ledger',
  journal: 'Post the journal entries',
  flux: 'Explain the flux',
  certify: 'Confirm the certification statements',
  submit: 'Submit the figures',
  review: 'Review the figures',
  close: 'Close the period',
} as const;

/** Labels of the state of a checklist step. */
export const checklistStateLabels = { done: 'Done', open: 'Open', unknown: 'Unknown' } as const;

/** Labels of the parts of a flux. */
export const fluxPartLabels = {
  new: 'New',
  lost: 'Lost',
  price: 'Price',
  quantity: 'Quantity',
  proration: 'Proration',
  timing: 'Timing',
  refunds: 'Refunds',
  failed: 'Failed payments',
  other: 'Other',
} as const;

/** Labels shown before the name of the person who signed. */
export const signatureRoleLabels = {
  opened: 'Opened by',
  prepared: 'Prepared by',
  reviewed: 'Reviewed by',
  rejected: 'Sent back by',
  closed: 'Closed by',
  reopened: 'Reopened by',
} as const;

/** Note on what a signing key proves, shown next to the signatures of a period. */
export const SIGNING_KEYS_NOTE =
  'Each sign-off is signed with the key of the named person. Tieout records names but cannot verify them: compare the key with the one that the person gives you.';

/** Label of a sign-off that has no signing key. */
export const NO_SIGNING_KEY_LABEL = 'Not signed with a key';

/** Returns the first 24 digits of a public key (hex) in groups of four, for people to compare. */
export const formatSigningKey = (key: string): string => (key.slice(0, 24).match(/.{4}/g) ?? []).join(' ');

/** Note on the receipt of a sign-off, shown next to it. */
export const RECEIPT_NOTE =
  'Keep the receipt outside this computer. With it, “tieout verify” proves later that nothing recorded up to then was changed.';

export const remainingWorkLabels = {
  exceptions: 'Open exceptions',
  proposals: 'Matches to decide',
  unexplained: 'Unexplained items',
  changes: 'Changes since sign-off',
} as const;

export const CHANGES_SINCE_SIGN_OFF_LABEL = 'Changes since sign-off';

export const signOffChangeLabels = { changed: 'Changed', added: 'Added late', removed: 'Removed' } as const;

/** Labels of the reasons why a change since sign-off is no longer current. */
export const endedSignOffChangeLabels = {
  reverted: 'Reverted to the closed figures',
  superseded: 'Superseded by a later change',
  reopened: 'Period reopened',
} as const;

/** Labels of the kinds of record that a workpaper or a closed period refers to. */
export const recordKindLabels = {
  statement: 'Statement',
  transaction: 'Transaction',
  payment: 'Payment',
  line: 'Bank line',
  payout: 'Payout',
  match: 'Match',
  bank_statement: 'Bank statement',
  ledger: 'Ledger line',
  balance: 'Ledger balance',
  entry: 'Journal entry',
  exception: 'Exception',
  file: 'Source file',
} as const;

/** Returns the label of an age range in days, for example `8–30 days` or `Over 90 days`. */
export const formatAgeRange = (fromDays: number, toDays: number | null): string =>
  toDays === null ? `Over ${fromDays - 1} days` : `${fromDays}–${toDays} days`;
