import type { BankLine as Listed } from '../../../contract/index.ts';

/** In the order of the contract's `bankLineKind`. */
export const lineKinds = [
  'entry',
  'payment',
  'refund',
  'chargeback',
  'fee',
  'payout',
  'reserve',
  'fx',
  'adjustment',
  'transfer',
  'interest',
] as const satisfies readonly Listed['kind'][];

/**
 * Kind of a line. `entry` is a bank line without further meaning. The others come from a processor's report or the bank's
 * codes. A `chargeback`, `reserve`, `adjustment` or `fx` that returns money is the same kind with a positive amount, as
 * is a returned payout.
 */
export type LineKind = (typeof lineKinds)[number];
