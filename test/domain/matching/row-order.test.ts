import { expect, test } from 'vitest';
import { type MatchInput, runMatching } from '../../../src/domain/matching/index.ts';
import { generateWorld } from '../../corpus/generators/index.ts';
import { shuffle } from './shuffle.ts';

/** Returns all matches with their scores and reasons. */
const listMatches = (input: MatchInput): string[] =>
  [...runMatching(input).groups()].map((group) => JSON.stringify(group)).sort();

/** Worlds in which decisions about several lines depend on each other, with the seed of an order. */
const worlds = [
  { depends: 'two numbers of a subscription', seed: 7100035, size: 1000 },
  {
    depends: 'a number that is the id of one payment and the statement of another',
    seed: 8300050,
    size: 1500,
  },
  { depends: 'a group and a pair', seed: 9900049, size: 600 },
  { depends: 'the stated number of alternatives', seed: 13700073, size: 500 },
  { depends: 'a reversal that names two payments', seed: 15100045, size: 1200 },
];

test.each(worlds)('the order of rows does not matter: $depends', ({ seed, size }) => {
  const { accounts, payments, lines, payouts } = generateWorld(seed, size);
  const matches = listMatches({ accounts, payments, lines, payouts });
  for (const order of [seed, seed + 1, seed + 2]) {
    const [shuffledPayments, shuffledLines] = [shuffle(payments, order), shuffle(lines, order)];
    expect(listMatches({ accounts, payments: shuffledPayments, lines: shuffledLines, payouts })).toEqual(
      matches,
    );
  }
});
