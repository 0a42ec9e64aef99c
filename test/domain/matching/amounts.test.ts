import { describe, expect, test } from 'vitest';
import { addDays } from '../../../src/domain/ledger/index.ts';
import { bank, line, payment, runGroups, summarizeGroups } from './sample-rows.ts';

describe('match by payee', () => {
  const twins = [
    payment({ id: 1001, names: ['Amelia Hart', 'Hart Dental LLC'] }),
    payment({ id: 1002, names: ['Jürgen O’Brien'] }),
  ];

  test.each([
    ['unchanged', 'SEPA credit Amelia Hart', 1001],
    ['in reverse order and in capitals', 'HART AMELIA 0815', 1001],
    ['of the company', 'Hart Dental LLC monthly', 1001],
    ['without its accents', 'Jurgen OBrien', 1002],
    ['with its umlauts spelled out', 'JUERGEN O BRIEN', 1002],
  ])('matches a payee name %s', (_, description, id) => {
    expect(summarizeGroups({ payments: twins, lines: [line({ id: 1, description })] })).toEqual([
      `confirmed payee 1=${id}`,
    ]);
  });

  test('only suggests a match if the company has no legal form or another one', () => {
    for (const description of ['Hart Dental monthly', 'Hart Dental Ltd monthly'])
      expect(summarizeGroups({ payments: twins, lines: [line({ id: 1, description })] })).toEqual([
        'suggested payee 1=1001',
      ]);
  });

  test('only suggests a match if the line has an initial for the first name', () => {
    expect(
      summarizeGroups({ payments: twins, lines: [line({ id: 1, description: 'TRANSFER A. HART' })] }),
    ).toEqual(['suggested payee 1=1001']);
  });

  test('matches by the subscription number like by a name', () => {
    const payments = [payment({ id: 1001, subscription_id: 15_100_105 }), payment({ id: 1002 })];
    expect(
      summarizeGroups({ payments, lines: [line({ id: 1, description: 'Subscription 15100105' })] }),
    ).toEqual(['confirmed payee 1=1001']);
  });

  test('marks equal payments of one customer as ambiguous and proposes the nearest one for each line', () => {
    const payments = [1, 2].map((n) => payment({ id: n, names: ['Amelia Hart'], paid_on: `2026-03-0${n}` }));
    const lines = [1, 2].map((n) =>
      line({ id: n, description: 'Amelia Hart', booked_on: `2026-03-0${n + 2}` }),
    );
    const groups = runGroups({ payments, lines });
    expect(groups.map(({ status, lines, payments }) => [status, lines[0]?.id, payments[0]?.id])).toEqual([
      ['ambiguous', 1, 1],
      ['ambiguous', 2, 2],
    ]);
  });

  test('only suggests an amount match if the line names another customer', () => {
    const payments = [
      payment({ id: 1001, names: ['Amelia Hart'] }),
      payment({ id: 1002, names: ['Theo Vance'], amount_in_cents: 100 }),
    ];
    const [only] = runGroups({ payments, lines: [line({ id: 1, description: 'From Theo Vance' })] });
    expect(only).toMatchObject({ rule: 'amount-date', status: 'suggested' });
    expect(only?.reasons.at(-1)?.text).toBe('The line names another customer.');
  });
});

describe('match by amount and date', () => {
  test('confirms a payment and a line that have no other candidates', () => {
    expect(summarizeGroups({ payments: [payment({ id: 1001 })], lines: [line({ id: 1 })] })).toEqual([
      'confirmed amount-date 1=1001',
    ]);
  });

  test('accepts lines after the payment or one day before it, but not weeks before', () => {
    const on = (booked_on: string): string[] =>
      summarizeGroups({ payments: [payment({ id: 1001 })], lines: [line({ id: 1, booked_on })] });
    expect(on('2026-03-01')).toEqual(['confirmed amount-date 1=1001']);
    expect(on('2026-03-11')).toEqual(['confirmed amount-date 1=1001']);
    expect(on('2026-02-20')).toEqual([]);
    expect(on('2026-04-20')).toEqual([]);
  });

  test('marks one line with two payments as ambiguous and counts the alternative', () => {
    const payments = [payment({ id: 1001 }), payment({ id: 1002 })];
    expect(summarizeGroups({ payments, lines: [line({ id: 1 })] })).toEqual([
      'ambiguous amount-date 1=1001 ?1',
    ]);
  });

  test('confirms neither of two lines with one payment', () => {
    const groups = runGroups({
      payments: [payment({ id: 1001 })],
      lines: [line({ id: 1 }), line({ id: 2 })],
    });
    expect(groups.map(({ status }) => status)).toEqual(['ambiguous', 'ambiguous']);
    expect(groups.flatMap(({ payments }) => payments)).toHaveLength(1);
  });

  test('does not count a payment claimed by id as an alternative', () => {
    const payments = [payment({ id: 161_537_300 }), payment({ id: 161_537_332 })];
    const lines = [line({ id: 1, reference: '161537300' }), line({ id: 2 })];
    expect(summarizeGroups({ payments, lines })).toEqual([
      'confirmed id-in-text 1=161537300',
      'suggested amount-date 2=161537332',
    ]);
  });

  test('proposes the best overall assignment', () => {
    const payments = ['01', '04', '07'].map((day, n) => payment({ id: 1001 + n, paid_on: `2026-03-${day}` }));
    const lines = ['03', '06', '09'].map((day, n) => line({ id: n + 1, booked_on: `2026-03-${day}` }));
    expect(
      runGroups({ payments, lines }).map(({ lines, payments }) => [lines[0]?.id, payments[0]?.id]),
    ).toEqual([
      [1, 1001],
      [2, 1002],
      [3, 1003],
    ]);
  });

  test('only counts hundreds of equal amounts within a few days', () => {
    const payments = Array.from({ length: 300 }, (_, n) =>
      payment({ id: 1001 + n, paid_on: `2026-03-0${1 + (n % 9)}` }),
    );
    const lines = Array.from({ length: 200 }, (_, n) =>
      line({ id: n + 1, booked_on: `2026-03-0${1 + (n % 9)}` }),
    );
    const groups = runGroups({ payments, lines });
    expect(groups).toHaveLength(200);
    expect(new Set(groups.map(({ status }) => status))).toEqual(new Set(['ambiguous']));
    expect(groups.every(({ payments, alternatives }) => payments.length === 0 && alternatives > 100)).toBe(
      true,
    );
  });

  test('learns the date range from lines whose payment an id proves', () => {
    const slow = Array.from({ length: 40 }, (_, n) => {
      const paid_on = addDays('2026-01-01', n * 3);
      const id = 161_537_300 + n * 32;
      return {
        payment: payment({ id, paid_on, amount_in_cents: 10_000 + n }),
        line: line({
          id: 100 + n,
          booked_on: addDays(paid_on, 18 + (n % 4)),
          reference: String(id),
          amount_in_cents: 10_000 + n,
        }),
      };
    });
    const late = (booked_on: string): string | undefined =>
      summarizeGroups({
        payments: [payment({ id: 1001 }), ...slow.map(({ payment }) => payment)],
        lines: [line({ id: 1, booked_on }), ...slow.map(({ line }) => line)],
      }).find((group) => group.includes(' 1='));
    expect(late('2026-03-22')).toBe('confirmed amount-date 1=1001');
    expect(late('2026-03-04')).toBeUndefined();
  });

  test('uses the account’s own date range', () => {
    const accounts = [{ ...bank, window: { from_days: 0, to_days: 30 } }];
    const lines = [line({ id: 1, booked_on: '2026-03-30' })];
    expect(summarizeGroups({ accounts, payments: [payment({ id: 1001 })], lines })).toEqual([
      'confirmed amount-date 1=1001',
    ]);
  });

  test('treats an unknown reference in the usual position as evidence against a match', () => {
    const known = Array.from({ length: 12 }, (_, n) =>
      payment({ id: 161_537_300 + n * 32, amount_in_cents: 700 + n }),
    );
    const lines = known.map(({ id, amount_in_cents }, n) =>
      line({ id: n + 1, reference: `INV ${id}`, amount_in_cents }),
    );
    const foreign = line({ id: 99, reference: 'INV 998877665' });
    const groups = runGroups({ payments: [...known, payment({ id: 1001 })], lines: [...lines, foreign] });
    expect(groups.find(({ lines }) => lines[0]?.id === 99)).toMatchObject({
      status: 'suggested',
      rule: 'amount-date',
    });
  });

  test('does not confirm an amount that unrelated rows have on both sides', () => {
    const day = (n: number): string => addDays('2026-01-01', n);
    const payments = Array.from({ length: 24 }, (_, n) => payment({ id: 1001 + n, paid_on: day(n * 15) }));
    const lines = Array.from({ length: 24 }, (_, n) =>
      line({ id: n + 1, booked_on: day(n * 15 + (n % 2 === 0 ? 2 : 11)) }),
    );
    const accounts = [{ ...bank, window: { from_days: 0, to_days: 4 } }];
    const confirmed = runGroups({ accounts, payments, lines }).filter(({ status }) => status === 'confirmed');
    expect(confirmed).toEqual([]);
  });
});

test('only suggests a payee match if the line has an unknown reference', () => {
  const known = Array.from({ length: 6 }, (_, n) =>
    payment({ id: 161_000_100 + n * 77, amount_in_cents: 1000 + n, names: ['Grace Hopper'] }),
  );
  const ada = payment({ id: 161_537_300, names: ['Ada Byron'] });
  const refers = (id: number, reference: string, name: string, amount_in_cents = 4900) =>
    line({ id, reference: `REF ${reference}`, counterparty: name, amount_in_cents });
  const lines = known.map(({ id, amount_in_cents }, n) =>
    refers(n + 1, String(id), 'Grace Hopper', amount_in_cents),
  );
  const outcome = (reference: string): string | undefined =>
    summarizeGroups({
      payments: [...known, ada],
      lines: [...lines, refers(50, reference, 'Ada Byron')],
    }).find((each) => each.includes(' 50='));
  expect(outcome('161999111')).toBe('suggested payee 50=161537300');
  // A typing error in the payment's own id is not an unknown reference.
  expect(outcome('161537301')).toBe('confirmed payee 50=161537300');
});

describe('lines that name nobody', () => {
  const FIRST_DAY = '2026-03-02';
  const LAST_WIRE = 40;
  const MISSING_LINE = 20;

  /** Creates wires of one price, ten days apart and one of them without its own line, and card payments. */
  function createMarket(cardPayments: number) {
    const dayOf = (n: number, lag = 0) => addDays(FIRST_DAY, n * 10 + lag);
    const wires = Array.from({ length: LAST_WIRE + 1 }, (_, n) =>
      payment({ id: 70_001 + n * 37, amount_in_cents: 1250, paid_on: dayOf(n) }),
    );
    const own = wires.flatMap(({ id }, n) =>
      n === MISSING_LINE
        ? []
        : [line({ id: n + 1, amount_in_cents: 1250, booked_on: dayOf(n, 2), reference: `INV ${id}` })],
    );
    const cards = Array.from({ length: cardPayments }, (_, n) =>
      payment({ id: 900_001 + n * 41, paid_on: dayOf(n % LAST_WIRE), gateway_transaction_id: `ch_q${n}` }),
    );
    const charges = cards.map(({ gateway_transaction_id, paid_on }, n) =>
      line({ id: 1000 + n, account: 2, kind: 'payment', booked_on: paid_on, gateway_transaction_id }),
    );
    const other = line({ id: 999, amount_in_cents: 1250, booked_on: dayOf(MISSING_LINE, 2) });
    return { payments: [...wires, ...cards], lines: [...own, other, ...charges] };
  }

  test.each([0, 900])('may be strangers, no matter that %i card payments have lines', (cardPayments) => {
    const groups = summarizeGroups(createMarket(cardPayments));
    expect(groups.filter((group) => group.includes(' 999='))).toEqual(['suggested amount-date 999=70741']);
    expect(groups.filter((group) => group.startsWith('confirmed'))).toHaveLength(LAST_WIRE + cardPayments);
  });
});
