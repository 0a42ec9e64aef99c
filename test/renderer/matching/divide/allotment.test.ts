import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allot, begun, centsTyped, type Member } from '../../../../src/renderer/matching/divide/allotment.ts';
import { partsOf } from '../../../../src/renderer/matching/divide/dividing.ts';
import { decimalOf } from '../../../../src/renderer/words/money.ts';

const line = (id: number, open_in_cents: number): Member => ({ side: 'lines', id, open_in_cents });
const payment = (id: number, open_in_cents: number): Member => ({ side: 'payments', id, open_in_cents });

describe('an amount as it is typed', () => {
  test.each([
    ['12', 1200],
    ['12.5', 1250],
    ['12,50', 1250],
    ['1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['1 234,50', 123_450],
    ['1,234', 123_400],
    ['\u22123.00', -300],
    ['-0.05', -5],
  ])('%s', (text, cents) => expect(centsTyped(text)).toBe(cents));

  test.each(['', '-', '1.2.3', '12.3456', '1,23,4', 'abc', '1e3', '99999999999999999999'])(
    '“%s” is none',
    (text) => expect(centsTyped(text)).toBeNull(),
  );

  test('what the window writes is read again', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (cents) => centsTyped(decimalOf(cents)) === cents));
  });
});

describe('money divided by hand', () => {
  const members = [line(1, 10_000), payment(7, 6000), payment(8, 7000)];

  test('begins with all of the smaller side, and of the larger as much as that comes to', () => {
    expect(begun(members)).toEqual([10_000, 6000, 4000]);
    expect(begun([line(1, 5000), line(2, 8000), payment(7, 6000)])).toEqual([5000, 1000, 6000]);
    expect(begun([line(1, -5000), payment(7, -6000)])).toEqual([-5000, -5000]);
    expect(begun([line(1, 5000), payment(7, -6000)])).toEqual([5000, -6000]);
  });

  test('a part says what it leaves; nothing typed takes nothing', () => {
    const { parts, members: told } = allot(members, [['100'], ['60'], ['39.50']], 1);
    expect(parts).toEqual([
      { part: 1, lines_in_cents: 10_000, payments_in_cents: 9950, difference_in_cents: 50, used: true },
    ]);
    expect(told.map(({ left_in_cents }) => left_in_cents)).toEqual([0, 0, 3050]);
    expect(allot(members, [], 2).parts.map(({ used }) => used)).toEqual([false, false]);
  });

  test('never more of a member than there is, whichever the parts; no other direction, no other text', () => {
    const { members: told } = allot(members, [['60', '41'], ['-1'], ['x']], 2);
    expect(told.map(({ fault }) => fault)).toEqual(['tooMuch', 'direction', 'amount']);
    expect(allot(members, [['60', '40']], 2).members[0]?.fault).toBeNull();
  });

  test('what is asked of the backend: parts that take something, differences put down to the category', () => {
    const allotment = allot(members, [['60', '40'], ['60'], ['', '39']], 3);
    expect(partsOf(members, allotment, { category: 'fee', reason: 'Kept.' })).toEqual([
      {
        lines: [{ id: 1, allocated_in_cents: 6000 }],
        transactions: [{ id: 7, allocated_in_cents: 6000 }],
        adjustments: [],
      },
      {
        lines: [{ id: 1, allocated_in_cents: 4000 }],
        transactions: [{ id: 8, allocated_in_cents: 3900 }],
        adjustments: [{ category: 'fee', amount_in_cents: 100, reason: 'Kept.' }],
      },
    ]);
  });

  test('without a fault, Σ taken ≤ open for each member', () => {
    const cents = fc.integer({ min: -500, max: 500 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 800 }),
        fc.array(cents, { minLength: 1, maxLength: 4 }),
        (open, taken) => {
          const [member] = allot([line(1, open)], [taken.map(decimalOf)], taken.length).members;
          const sum = taken.reduce((all, each) => all + each, 0);
          return member?.fault !== null || (sum <= open && sum >= 0 && member.left_in_cents === open - sum);
        },
      ),
    );
  });
});
