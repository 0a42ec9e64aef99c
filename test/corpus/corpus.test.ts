import { describe, expect, it } from 'vitest';
import { generateWorld, generatorNames } from './generators/index.ts';
import { readWorld, writeWorld } from './model/world-json.ts';
import { quickRun } from './options.ts';
import { formatReport } from './report/print.ts';
import { runCorpus } from './run.ts';

/** Maximum number of wrongly confirmed lines in the quick run: every confirmed match must be proved. */
const MAX_WRONG_LINES = 0;

describe('npm run corpus -- --quick', () => {
  it('measures the matcher on worlds of all generators', () => {
    const result = runCorpus(quickRun);
    const { tallies, wrongLines } = result;
    expect([...tallies.keys()].sort()).toEqual(['all', ...generatorNames].sort());
    const all = tallies.get('all');
    expect(all?.lines).toBeGreaterThan(4000);
    expect(all?.misleading).toBe(0);
    expect(wrongLines, formatReport(result)).toBeLessThanOrEqual(MAX_WRONG_LINES);
  }, 20_000);
});

describe('generated worlds', () => {
  it('are the same for the same seed', () => {
    for (const seed of [1, 2, 3, 4]) {
      expect(writeWorld(generateWorld(seed, 200))).toBe(writeWorld(generateWorld(seed, 200)));
    }
  });

  it('label each line with payments that exist', () => {
    for (const seed of [5, 6, 7, 8]) {
      const { lines, labels, payments } = generateWorld(seed, 400);
      const ids = new Set(payments.map(({ id }) => id));
      expect(labels.map(({ line }) => line)).toEqual(lines.map(({ id }) => id));
      expect(ids.size).toBe(payments.length);
      for (const { payments: paid, reverses } of labels) {
        expect(paid.filter((id) => !ids.has(id))).toEqual([]);
        expect(reverses === null || ids.has(reverses)).toBe(true);
      }
    }
  });

  it('survive the round trip through JSON', () => {
    const world = generateWorld(9, 100);
    expect(readWorld(writeWorld(world))).toEqual(world);
  });
});
