import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ComparedRow, LedgerComparison } from '../../../src/domain/general-ledger/index.ts';

const row = fc.record({
  day: fc.integer({ min: 1, max: 5 }).map((day) => `2026-03-0${day}`),
  cents: fc.constantFrom(-500, 100, 250, 999, 100_000),
});

function compare(records: readonly ComparedRow[], ledger: readonly ComparedRow[]) {
  const comparison = new LedgerComparison();
  for (const each of records) comparison.addRecord(each);
  for (const each of ledger) comparison.addLedgerRow(each);
  const rest = comparison.findUnmatchedRows();
  return {
    missing: records.filter((each) => rest.takeRecord(each)),
    extra: ledger.filter((each) => rest.takeLedgerRow(each)),
  };
}

const sum = (rows: readonly ComparedRow[]) => rows.reduce((all, { cents }) => all + cents, 0);

test('the unmatched rows of both sides add up to the difference of the totals', () => {
  fc.assert(
    fc.property(fc.array(row), fc.array(row), (records, ledger) => {
      const { missing, extra } = compare(records, ledger);
      expect(sum(missing) - sum(extra)).toBe(sum(records) - sum(ledger));
      if (sum(records) === sum(ledger)) expect([...missing, ...extra]).toEqual([]);
    }),
  );
});

test('a row that only one side has is found among rows that agree', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), fc.integer({ min: 1, max: 4000 }), (rows, cents) => {
      const only = { day: '2026-03-03', cents: cents * 7 + 1_000_001 };
      expect(compare([...rows, only], [...rows].reverse())).toEqual({ missing: [only], extra: [] });
      expect(compare([...rows].reverse(), [only, ...rows])).toEqual({ missing: [], extra: [only] });
    }),
  );
});

test('a daily total in the ledger agrees with the day’s records, and the other days are reported', () => {
  const records = [
    { day: '2026-03-01', cents: 1000 },
    { day: '2026-03-01', cents: 2500 },
    { day: '2026-03-02', cents: 700 },
  ];
  expect(compare(records, [{ day: '2026-03-01', cents: 3500 }])).toEqual({
    missing: [{ day: '2026-03-02', cents: 700 }],
    extra: [],
  });
});

test('an amount booked on another day agrees', () => {
  const records = [
    { day: '2026-03-01', cents: 1000 },
    { day: '2026-03-02', cents: 555 },
  ];
  expect(compare(records, [{ day: '2026-03-05', cents: 1000 }])).toEqual({
    missing: [{ day: '2026-03-02', cents: 555 }],
    extra: [],
  });
});
