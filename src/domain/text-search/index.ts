/** Text search in documents. */
export * from './passages.ts';
export * from './search-pattern.ts';
