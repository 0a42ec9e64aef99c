import type { BankLine as Listed } from '../../../contract/index.ts';

/** Kinds of bank lines, in the order of the contract's `bankLineKind`. */
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
 * Kind of a bank line. `entry` is a line without further meaning. The other kinds come from a processor's report or the
 * bank's codes. A `chargeback`, `reserve`, `adjustment` or `fx` that returns money has the same kind with a positive
 * amount, and so does a returned payout.
 */
export type LineKind = (typeof lineKinds)[number];
