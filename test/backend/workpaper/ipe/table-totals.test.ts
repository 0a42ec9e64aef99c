import { expect, it } from 'vitest';
import { toTableSources } from '../../../../src/backend/workpaper/ipe/billing-sources.ts';
import { sumRecordTables } from '../../../../src/backend/workpaper/ipe/table-totals.ts';
import type { PeriodLists } from '../../../../src/backend/workpaper/report-lists.ts';
import { runAllSteps } from '../../../../src/domain/work-steps/work-steps.ts';

const proof = {
  ...{ from: null, to: null, requests: null, complete: null },
  ...{ continuity: '', completeness: 'See the accounts.', accuracy: 'Read as CSV.' },
};

it('has no control total in a currency in which the amount of a row is unknown', () => {
  const none = () => [['id', 'currency', 'amount_in_cents', 'allocated_in_cents']];
  const lists = {
    ...{ payments: none, payouts: none, match_items: none, transactions: none, statements: () => [] },
    bank_lines: () => [
      ['id', 'currency', 'amount_in_cents'],
      [1, 'EUR', 500],
      [2, 'USD', null],
      [3, 'EUR', -200],
      [4, 'USD', 900],
      [5, 'USD', null],
      [6, 'SEK', 0],
    ],
  } as unknown as PeriodLists;
  const { bank_lines } = runAllSteps(sumRecordTables(lists, 'USD'));
  const sources = toTableSources('bank_lines', 'Bank and processor lines', bank_lines, proof);
  expect(
    sources.map(({ currency, rows, amount_in_cents, accuracy }) => [
      currency,
      rows,
      amount_in_cents,
      accuracy,
    ]),
  ).toEqual([
    ['EUR', 2, 300, 'Read as CSV.'],
    ['USD', 3, null, 'Read as CSV. The control total is unknown: 2 rows without an amount.'],
    ['SEK', 1, 0, 'Read as CSV.'],
  ]);
});
