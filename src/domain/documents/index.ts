/** What documents say, and finding it there. */
export * from './passages.ts';
export * from './sought.ts';
