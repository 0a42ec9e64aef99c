import type { Random } from '../model/random.ts';
import type { WorldFacts } from '../model/world.ts';
import { IdSequence, type IdStyle } from '../text/ids.ts';
import type { WritingHabits } from './line-writer.ts';
import type { IdSequences } from './world-builder.ts';

export type WordLists = Pick<WritingHabits, 'words' | 'idWords'>;

/** Draws how the payers and the bank of a world write. */
export function drawHabits(random: Random, lists: WordLists): WritingHabits {
  return {
    idShare: random.pick([0.2, 0.5, 0.7, 0.9, 0.98]),
    nameShare: random.pick([0.3, 0.6, 0.8, 0.95]),
    slipRate: random.rate(0.06),
    cutRate: random.rate(0.03),
    wrongIdRate: random.rate(0.03),
    dateRate: random.rate(0.4),
    customerNumberRate: random.rate(0.2),
    initialsRate: random.rate(0.15),
    surnameRate: random.rate(0.1),
    capitals: random.chance(0.7),
    surnameFirst: random.chance(0.25),
    nameField: random.chance(0.8) ? 'counterparty' : 'description',
    idField: random.chance(0.5) ? 'reference' : 'description',
    idKind: random.chance(0.7) ? 'statement' : 'payment',
    ...lists,
  };
}

/** Returns the habits as values to print. */
export function describeHabits(habits: WritingHabits): Record<string, number | string | boolean> {
  const { words: _, idWords: __, ...values } = habits;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
    ]),
  );
}

export interface DrawnIds {
  readonly style: IdStyle;
  readonly first: number;
  readonly sequences: IdSequences;
}

/** Draws where the ids of a world start. Some ranges resemble dates or are shared by two kinds of ids. */
export function drawIds(random: Random): DrawnIds {
  const style: IdStyle = random.chance(0.5) ? 'dense' : 'sparse';
  const first = random.pick([10_000, 104_200, 260_101, 3_450_000, 20_260_101, 80_168_000, 161_537_000]);
  const distance = random.pick([0, 500, 3_000_000]);
  return {
    style,
    first,
    sequences: {
      statement: new IdSequence(random, style, first),
      payment: new IdSequence(random, style, first + distance + 1000),
      subscription: new IdSequence(random, style, first + 2 * distance + 40_000),
    },
  };
}

export function drawFacts(random: Random, widths: readonly (number | null)[]): WorldFacts {
  const lag_from_days = random.integer(0, 2);
  return {
    lag_from_days,
    lag_to_days: lag_from_days + random.integer(3, 8),
    name_width: random.pick(widths),
    max_fee_in_cents: random.pick([500, 1500, 2500]),
  };
}
