/** Arithmetic with money, dates, quantities and balances. */

export * from './balance-effects.ts';
export * from './cents.ts';
export * from './dates.ts';
export * from './periods.ts';
export * from './quantities.ts';
