/** Quantity changes: reading change files, checking changes, and looking up changes whose response was lost. */

export * from '../csv/csv-records.ts';
export * from './change-file.ts';
export * from './change-lookup.ts';
export * from './change-problems.ts';
