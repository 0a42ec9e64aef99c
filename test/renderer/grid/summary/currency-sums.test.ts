import { expect, test } from 'vitest';
import { sumByCurrency } from '../../../../src/renderer/grid/summary/currency-sums.ts';

interface Row {
  readonly of: string;
  readonly cents: number;
}
const figure = {
  cents: (row: Row) => row.cents,
  currency: (row: Row) => row.of,
};
const row = (of: string, cents: number): Row => ({ of, cents });

test('rows are added up per currency', () => {
  const rows = [row('USD', 100), row('EUR', 7), row('USD', -250), row('EUR', 0)];
  expect(sumByCurrency(rows, figure)).toEqual([
    { currency: 'EUR', amount_in_cents: 7 },
    { currency: 'USD', amount_in_cents: -150 },
  ]);
});

test('a sum of zero is shown; without rows there is no sum', () => {
  expect(sumByCurrency([row('USD', 5), row('USD', -5)], figure)).toEqual([
    { currency: 'USD', amount_in_cents: 0 },
  ]);
  expect(sumByCurrency([], figure)).toEqual([]);
});
