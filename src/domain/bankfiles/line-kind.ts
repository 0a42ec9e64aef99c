import type { BankLine as Listed } from '../../contract/index.ts';

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
 * What a line is. `entry` is a bank's line of no further meaning; the others are said by a processor's report, or by the
 * bank's own codes. A `chargeback`, `reserve`, `adjustment` or `fx` that gives money back is the same kind with a positive
 * amount; so is a payout that bounced.
 */
export type LineKind = (typeof lineKinds)[number];
