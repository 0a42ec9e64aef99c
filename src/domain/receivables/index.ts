/** Balances of subscriptions at any instant, and the open charges and credits that they consist of. */
export * from './subscription-balance.ts';
