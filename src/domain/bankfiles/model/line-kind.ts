import { bankLineKindSchema } from '../../../contract/index.ts';

/**
 * Kind of a bank line. `entry` is a line without further meaning; the other kinds come from a processor's report or
 * the bank's codes. Money that is returned has the same kind with the opposite sign.
 */
export type BankLineKind = (typeof bankLineKinds)[number];

export const bankLineKinds = bankLineKindSchema.options;
