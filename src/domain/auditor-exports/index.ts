/** Formats in which auditors receive the records of a period: GoBD (Z3) and AICPA Audit Data Standards. */
export * from './ads-tables.ts';
export * from './delimited-text.ts';
export * from './gdpdu-dtd.ts';
export * from './gdpdu-index.ts';
