import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareStatements,
  findUnappliedMovements,
  listStatementMovements,
} from '../../../src/domain/receivables/index.ts';

test('the unapplied movements of a balance add up to it and are the latest of its sign', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -900, max: 900 })), (amounts) => {
      const balance = amounts.reduce((sum, cents) => sum + cents, 0);
      const movements = amounts.map((cents, at) => ({ at, cents }));
      const unapplied = [...findUnappliedMovements(balance, movements.toReversed())];
      expect(unapplied.reduce((sum, { cents }) => sum + cents, 0)).toBe(balance);
      for (const [index, { movement, cents }] of unapplied.entries()) {
        expect(Math.sign(cents)).toBe(Math.sign(balance));
        // Only the oldest of them may be applied in part.
        if (index < unapplied.length - 1) expect(cents).toBe(movement.cents);
        else expect(Math.abs(cents)).toBeLessThanOrEqual(Math.abs(movement.cents));
      }
    }),
  );
});

test('reads no more movements than a balance consists of', () => {
  const read: number[] = [];
  function* latestFirst() {
    for (const cents of [300, -100, 500, 400]) {
      read.push(cents);
      yield { cents };
    }
  }
  expect([...findUnappliedMovements(700, latestFirst())].map(({ cents }) => cents)).toEqual([300, 400]);
  expect(read).toEqual([300, -100, 500]);
});

const transaction = (created: number, cents: number) => ({
  ...{
    id: created,
    created,
    transaction_type: 'charge',
    type: 'Charge',
    amount_in_cents: cents,
    success: true,
  },
  ...{ starting_balance_in_cents: null, ending_balance_in_cents: null },
});

test('counts a transaction within its statement, and reports a statement that does not foot', () => {
  const previous = { id: 1, opened: 0, closed: 10, starting: 0, ending: 50 };
  const statement = { id: 2, opened: 10, closed: 20, starting: 70, ending: 400 };
  const movements = listStatementMovements(previous, statement, [transaction(25, 100), transaction(5, 200)]);
  expect(movements.map(({ kind, at, cents }) => [kind, at, cents])).toEqual([
    ['carried', 10, 20],
    ['charges', 10, 200],
    ['charges', 20, 100],
    ['footing', 20, 30],
  ]);
});

test('keeps the order of transactions that are dated after the closing', () => {
  const statement = { id: 1, opened: 0, closed: 10, starting: 0, ending: 300 };
  const movements = listStatementMovements(null, statement, [transaction(30, 100), transaction(20, 200)]);
  expect(movements.map(({ at, cents }) => [at, cents])).toEqual([
    [10, 200],
    [10, 100],
  ]);
});

test('an open statement follows all closed ones and has no footing', () => {
  const open = { id: 1, opened: 5, closed: null, starting: 0, ending: 999 };
  const closed = { id: 2, opened: 5, closed: 20, starting: 0, ending: 0 };
  expect([open, closed].sort(compareStatements)).toEqual([closed, open]);
  expect(listStatementMovements(null, open, [transaction(9, 100)]).map(({ kind }) => kind)).toEqual([
    'charges',
  ]);
});
