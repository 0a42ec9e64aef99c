/** Text search within documents. */
export * from './passages.ts';
export * from './search-pattern.ts';
