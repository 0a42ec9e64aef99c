import { describe, expect, it } from 'vitest';
import { checkTrap } from './traps/check-trap.ts';
import { payerColumnTraps, writePayerFiles } from './traps/payer-columns.ts';
import { readPayers } from './traps/read-payers.ts';
import { VARIANTS } from './traps/trap-builder.ts';
import { buildVariants, traps } from './traps.ts';

describe('everyday traps', () => {
  for (const trap of traps) {
    it(`cause ${trap.cause}: ${trap.title}`, () => {
      const faults = buildVariants(trap).flatMap(checkTrap);
      expect(faults).toEqual([]);
    });
  }
});

describe('cause 7: payer columns', () => {
  for (const trap of payerColumnTraps) {
    it(trap.title, async () => {
      for (const { csv, payers } of writePayerFiles(trap)) expect(await readPayers(csv)).toEqual(payers);
    });
  }
});

describe('the list of traps', () => {
  it('has at least 140 traps with at least five different variants', () => {
    expect(traps.length).toBeGreaterThanOrEqual(140);
    expect(VARIANTS).toBeGreaterThanOrEqual(5);
    for (const trap of traps) {
      const variants = buildVariants(trap).map(({ world }) => JSON.stringify([world.lines, world.payments]));
      expect(new Set(variants).size).toBe(VARIANTS);
    }
  });
});
