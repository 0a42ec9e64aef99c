import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../src/domain/ledger/index.ts';
import { expectAllRowsAccounted, readText } from './read-complete-file.ts';
import * as write from './sample-writers.ts';

/** Lines that are written in a format and read again must be unchanged. */

const anyWord = fc.string({ unit: fc.constantFrom(...'abcXYZ019éß€'), minLength: 1, maxLength: 9 });
const text = fc.array(anyWord, { minLength: 1, maxLength: 4 }).map((words) => `t ${words.join(' ')}`);
const anyReference = fc.string({ unit: fc.constantFrom(...'ABC123-'), maxLength: 9 }).map((end) => `R${end}`);
const line = fc.record({
  date: fc.nat({ max: 3000 }).map((days) => addDays('2019-01-01', days)),
  cents: fc.oneof(
    fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }),
    fc.constantFrom(-1, 0, 1, 100, -100),
  ),
  text,
  reference: anyReference,
});
const lines = fc.array(line, { minLength: 1, maxLength: 8 });

const formats: [
  string,
  (lines: readonly write.SampleLine[]) => string | Promise<Uint8Array>,
  Partial<{ reversed: boolean }>,
][] = [
  ['the standard CSV', write.standardCsv, {}],
  ['a European CSV', write.europeanCsv, { reversed: true }],
  ['OFX', write.ofx, {}],
  ['CAMT.053', write.camt, {}],
  ['MT940', write.mt940, {}],
  ['QIF', write.qif, {}],
  ['XLSX', write.xlsx, {}],
];

describe.each(formats)('the bank file format %s', (_, written, { reversed = false }) => {
  it('returns the same lines when a written file is read', async () => {
    await fc.assert(
      fc.asyncProperty(lines, async (given) => {
        const answers = reversed ? { date_order: 'dmy', decimal_mark: ',' } : {};
        const file = await readText(await written(given), { answers, currency: 'EUR' });
        const expected = reversed ? given.toReversed() : given;
        const read = file.lines.map(({ booked_on, amount_in_cents, description, reference: ref }) => ({
          date: booked_on,
          cents: amount_in_cents,
          text: description,
          reference: ref,
        }));
        expect(read).toEqual(expected);
        expect(file.problems).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the same bank statement', () => {
  it('gives the same lines in every format, including repeated ones', async () => {
    const twin = { date: '2026-10-02', cents: 4900, text: 'plan', reference: 'R1' };
    const given = [twin, { ...twin, cents: 1900 }, twin, twin];
    for (const [, written] of formats) {
      const bytes = await written(given);
      const [once, again] = [await readText(bytes), await readText(bytes)];
      expect(again).toEqual(once);
      expect(expectAllRowsAccounted(once).lines).toHaveLength(4);
    }
  });

  it('reports a missing line by its balances', async () => {
    const given = [1, 2, 3].map((each) => ({
      date: '2026-10-02',
      cents: each * 100,
      text: 'a',
      reference: `R${each}`,
    }));
    for (const text of [write.camt(given), write.mt940(given)]) {
      const cut = text.replace(/<Ntry>.*?<\/Ntry>/, '').replace(/:61:.*\r\n:86:.*\r\n/, '');
      const file = await readText(cut);
      expect(file.lines).toHaveLength(2);
      expect(file.problems).toMatchObject([
        { effect: 'balance', reason: expect.stringContaining('1.00 EUR is unexplained') },
      ]);
    }
  });
});
