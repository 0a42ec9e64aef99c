/** The general ledger: reading its files, comparing it with the records, and proposing and exporting journal entries. */
export * from './entry-export.ts';
export * from './entry-proposals.ts';
export * from './journal-entry.ts';
export * from './ledger-areas.ts';
export * from './ledger-comparison.ts';
export * from './ledger-file.ts';
export * from './posted-entries.ts';
export * from './read-ledger-file.ts';
