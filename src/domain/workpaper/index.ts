/** The figures of the report: schedules that foot into each other, ageing, tick marks. Sums in, sheets out. */
export * from './ageing.ts';
export * from './build.ts';
export * from './contribution.ts';
export * from './groups.ts';
export * from './legend.ts';
export * from './lines.ts';
export * from './match-figures.ts';
