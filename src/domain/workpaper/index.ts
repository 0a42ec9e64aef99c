/** Figures of the period report: schedules that foot into each other, aging and tick marks. */
export * from './account-schedules.ts';
export * from './aging.ts';
export * from './balance-schedules.ts';
export * from './bank-statement-chain.ts';
export * from './ledger-schedule.ts';
export * from './match-contributions.ts';
export * from './match-figures.ts';
export * from './materiality.ts';
export * from './schedule-builder.ts';
export * from './schedule-definition.ts';
export * from './tick-marks.ts';
