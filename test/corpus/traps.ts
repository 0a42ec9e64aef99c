import { arrivalWindows } from './traps/arrival-windows.ts';
import { cliffs } from './traps/cliffs.ts';
import { contradictions } from './traps/contradictions.ts';
import { cutColumns } from './traps/cut-columns.ts';
import { cutNames } from './traps/cut-names.ts';
import { foreignNames } from './traps/foreign-names.ts';
import { groupContradictions } from './traps/group-contradictions.ts';
import { moneyMovements } from './traps/money-movements.ts';
import { numbers } from './traps/numbers.ts';
import { partialPayments } from './traps/partial-payments.ts';
import { references } from './traps/references.ts';
import { similarNames } from './traps/similar-names.ts';
import { thirdPartyPayers } from './traps/third-party-payers.ts';
import { type Trap, TrapBuilder, type TrapCase, VARIANTS } from './traps/trap-builder.ts';

/** Everyday situations that mislead a matcher, made by hand. */
export const traps: readonly Trap[] = [
  ...cliffs,
  ...cutNames,
  ...similarNames,
  ...contradictions,
  ...groupContradictions,
  ...numbers,
  ...arrivalWindows,
  ...foreignNames,
  ...cutColumns,
  ...references,
  ...moneyMovements,
  ...partialPayments,
  ...thirdPartyPayers,
];

/** Builds all variants of a trap: the same situation with other names, prices, dates and ids. */
export function buildVariants(trap: Trap): TrapCase[] {
  return Array.from({ length: VARIANTS }, (_, variant) => {
    const builder = new TrapBuilder(variant, sumCharacters(trap.title));
    trap.fill(builder);
    return builder.build(trap.title);
  });
}

const sumCharacters = (text: string): number =>
  [...text].reduce((sum, character, n) => sum + (n + 1) * (character.codePointAt(0) ?? 0), 0);
