import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Dialect, dialect, type TrueLine, trueLines, writeExport } from './bank-dialects.ts';
import { readText } from './read-complete-file.ts';

/** Number of random exports. `DIALECT_RUNS` raises it for a long run. */
const RUNS = Number(process.env['DIALECT_RUNS'] ?? 200);

/** Returns true if nothing in the file shows that its positive amounts are money paid. */
function isUnknowable({ signs, statedTotals, balance, balanceLines }: Dialect, lines: readonly TrueLine[]) {
  const isOneDay = new Set(lines.map(({ day }) => day)).size < 2;
  return signs === 'inverted' && !statedTotals && (!balance || (isOneDay && !balanceLines));
}

it('reads an export in any dialect as the bank booked it, or asks', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(dialect, trueLines, fc.nat(1_000_000), async (style, lines, seed) => {
      fc.pre(!isUnknowable(style, lines));
      const written = writeExport(style, lines, seed);
      const file = await readText(written.text, { today: '2026-12-31' });
      if (file.questions.length > 0) return;
      expect(file.problems.filter(({ effect }) => effect !== 'skipped')).toEqual([]);
      expect(file.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual(written.amounts);
      expect(file.lines.map(({ booked_on }) => booked_on)).toEqual(written.dates);
      for (const { currency } of file.lines) expect(currency).toBe(written.currency);
      const [statement] = file.statements;
      if (statement?.opening) expect(statement.opening.amount_in_cents).toBe(written.opening);
    }),
    { numRuns: RUNS },
  );
});
