import { addDays, type CalendarDate } from '../../../src/domain/ledger/index.ts';
import { Random } from '../model/random.ts';
import { NameFactory, type NameOptions } from '../text/name-factory.ts';
import { describeHabits, drawFacts, drawHabits, drawIds, type WordLists } from './draw-habits.ts';
import { LineWriter } from './line-writer.ts';
import { drawRates, type SettlementRates, Settler } from './settlements.ts';
import { WorldBuilder } from './world-builder.ts';

/** Limits within which a generator draws the parameters of a world. */
export interface Character {
  readonly salt: number;
  readonly widths: readonly (number | null)[];
  readonly names: Omit<NameOptions, 'families'>;
  readonly words: WordLists;
  readonly limits: SettlementRates;
}

/** Everything that a generator needs to write a world. */
export interface WorldStart {
  readonly random: Random;
  readonly world: WorldBuilder;
  readonly writer: LineWriter;
  readonly names: NameFactory;
  readonly settler: Settler;
  readonly rates: SettlementRates;
  readonly from: CalendarDate;
  readonly days: number;
  readonly parameters: Record<string, number | string | boolean | null>;
}

/** Draws the parameters of a world from its seed. */
export function startWorld(seed: number, character: Character): WorldStart {
  const random = new Random(Math.imul(seed, 31) + character.salt);
  const facts = drawFacts(random, character.widths);
  const ids = drawIds(random);
  const habits = drawHabits(random, character.words);
  const rates = drawRates(random, character.limits);
  const families = random.pick([4, 8, 16, 40]);
  const world = new WorldBuilder(random, facts, ids.sequences);
  const writer = new LineWriter(world, habits);
  const from = addDays('2024-01-01', random.integer(0, 800));
  const days = random.pick([45, 90, 180, 360]);
  return {
    random,
    world,
    writer,
    rates,
    from,
    days,
    names: new NameFactory(random, { ...character.names, families }),
    settler: new Settler(world, writer, rates),
    parameters: { ids: ids.style, first_id: ids.first, families, days, ...describeHabits(habits), ...rates },
  };
}
