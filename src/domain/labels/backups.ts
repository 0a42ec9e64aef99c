/** Labels of backups and restored decisions, shared by the window, the command line and the reports. */
export const backupReasonLabels = {
  start: 'App start',
  update: 'Before update',
  restore: 'Before restore',
  manual: 'Manual',
} as const;

/** Labels of the kinds of record that are compared between two versions of the books. */
export const bookPartLabels = {
  periods: 'Periods and sign-offs',
  matches: 'Match decisions',
  imports: 'Imports',
  journal: 'Journal entries',
  notes: 'Comments and explanations',
  exceptions: 'Exception decisions',
  replays: 'Replays',
  allocations: 'Quantity changes',
  rules: 'Rules, accounts and profiles',
  archive: 'Exports, holds and deletions',
  audit: 'Audit log entries',
} as const;

/** Labels of how a restore affects a record in the books. */
export const booksChangeLabels = { lost: 'Lost', restored: 'Restored', changed: 'Changed' } as const;

export const decisionPartLabels = {
  imports: 'Bank and processor files',
  rules: 'Match rules',
  matches: 'Matches',
  comments: 'Comments',
  exceptions: 'Exceptions',
  items: 'Explained items',
} as const;

/** Labels of how a decision in an evidence pack compares with the books. */
export const decisionStateLabels = {
  same: 'Identical',
  missing: 'Missing',
  different: 'Different',
  not_stored: 'Record not stored',
} as const;
