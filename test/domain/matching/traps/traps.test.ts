import { describe, expect, test } from 'vitest';
import type { MatchLine, MatchPayment } from '../../../../src/domain/matching/index.ts';
import { traps } from './situations.ts';
import { listConfirmed, TrapRows, trapVariants } from './variants.ts';

describe.each(traps)('%s', (_, trap) => {
  test.each(trapVariants)('is not confirmed: $title', (variant) => {
    const confirmed = listConfirmed(trap(new TrapRows(variant), variant));
    expect(confirmed.map(({ key, rule }) => `${rule} ${key}`)).toEqual([]);
  });
});

describe.each(trapVariants)('lines with noise in a column of ids: $title', (variant) => {
  const rows = new TrapRows(variant);
  const countConfirmed = (noisy: number, noise: (payment: MatchPayment, n: number) => Partial<MatchLine>) => {
    const history = rows.history(100, (each, n) =>
      n < noisy ? noise(each, n) : { reference: `INV ${each.id}`, counterparty: null },
    );
    return listConfirmed(
      history,
      history.lines.map(({ id }) => id),
    ).length;
  };

  test('does not fall off a cliff after ids on lines in another currency', () => {
    const counts = [0, 3, 5, 10].map((noisy) =>
      countConfirmed(noisy, ({ id }) => ({ reference: `INV ${id}`, currency: 'SEK' })),
    );
    expect(counts).toEqual([100, 97, 95, 90]);
  });

  test('does not fall off a cliff after slips to ids of neighbors', () => {
    const counts = [0, 3, 5, 10].map((noisy) =>
      countConfirmed(noisy, ({ id }, n) => ({
        reference: `INV ${n % 2 === 0 ? id + 4099 * 20 : id + 4099 * 30}`,
        counterparty: null,
      })),
    );
    for (const [at, noisy] of [0, 3, 5, 10].entries())
      expect(counts[at]).toBeGreaterThanOrEqual(100 - 4 * noisy);
  });
});
