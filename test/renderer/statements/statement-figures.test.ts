import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toStatementFigures } from '../../../src/renderer/statements/statement-figures.ts';

test('statement figures add up to the closing balance', () => {
  const cents = fc.integer({ min: -1e12, max: 1e12 });
  fc.assert(
    fc.property(cents, cents, cents, cents, (opening, charges, payments, closing) => {
      const figures = toStatementFigures({
        starting_balance_in_cents: opening,
        charges_in_cents: charges,
        payments_in_cents: payments,
        ending_balance_in_cents: closing,
      });
      expect(figures.opening + figures.charges - figures.payments + figures.other).toBe(figures.closing);
    }),
  );
});
