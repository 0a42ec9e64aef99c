/** Service periods of charges, and the revenue that they defer. */
export * from './deferred-amount.ts';
export * from './service-period.ts';
