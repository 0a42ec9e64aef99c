/** Quantity changes: reads change files, checks changes and looks up changes whose response was lost. */

export * from '../csv/csv-records.ts';
export * from './change-file.ts';
export * from './change-lookup.ts';
export * from './change-problems.ts';
