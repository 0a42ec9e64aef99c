/** Money, dates and balances: the arithmetic everything else rests on. */
export * from './cents.ts';
export * from './dates.ts';
export * from './effects.ts';
export * from './periods.ts';
export * from './quantities.ts';
