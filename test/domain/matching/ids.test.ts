import { describe, expect, test } from 'vitest';
import { isLikelyTypo } from '../../../src/domain/matching/passes/line-hints.ts';
import { line, payment, processor, runGroups, summarizeGroups } from './sample-rows.ts';

describe('match by gateway transaction id', () => {
  const paid = payment({ id: 161_537_300, gateway_transaction_id: 'ch_3Nq8Zk2LkdIwHu7i' });

  test.each([
    ['the id in a payout report field', { gateway_transaction_id: 'ch_3Nq8Zk2LkdIwHu7i' }],
    ['the id in the reference', { reference: 'ch_3Nq8Zk2LkdIwHu7i' }],
    ['the id in capitals in a text', { description: 'CARD PAYMENT CH_3NQ8ZK2LKDIWHU7I APPROVED' }],
    ['the id split by spaces', { description: 'card ch 3Nq8Zk2L kdIwHu7i ok' }],
  ])('matches %s', (_, lineFields) => {
    expect(summarizeGroups({ payments: [paid], lines: [line({ id: 1, ...lineFields })] })).toEqual([
      'confirmed gateway-id 1=161537300',
    ]);
  });

  test('ignores the one id that a test gateway gives to all payments', () => {
    const payments = Array.from({ length: 60 }, (_, n) =>
      payment({ id: 900_000 + n, gateway_transaction_id: '53433', amount_in_cents: 1000 + n }),
    );
    const [only] = runGroups({
      payments,
      lines: [line({ id: 1, amount_in_cents: 1007, reference: '53433' })],
    });
    expect(only).toMatchObject({ rule: 'amount-date', payments: [{ id: 900_007 }] });
  });

  test('matches one line to all statements of one charge', () => {
    const payments = [2000, 2900].map((amount_in_cents, n) =>
      payment({ id: 900_000 + n, gateway_transaction_id: 'ch_rolled_up_1', amount_in_cents }),
    );
    expect(summarizeGroups({ payments, lines: [line({ id: 1, reference: 'ch_rolled_up_1' })] })).toEqual([
      'confirmed gateway-id 1=900000+900001',
    ]);
  });

  test('marks equal payments of one charge as ambiguous', () => {
    const payments = [1, 2].map((n) => payment({ id: 900_000 + n, gateway_transaction_id: 'ch_twice_9' }));
    const [only] = runGroups({ payments, lines: [line({ id: 1, reference: 'ch_twice_9' })] });
    expect(only).toMatchObject({ status: 'ambiguous', alternatives: 1 });
  });

  test('does not match a repeated bank line twice', () => {
    const lines = [1, 2].map((id) => line({ id, reference: 'ch_3Nq8Zk2LkdIwHu7i' }));
    const groups = runGroups({ payments: [paid], lines });
    expect(groups.map(({ status }) => status)).toEqual(['ambiguous', 'ambiguous']);
    expect(groups.flatMap(({ payments }) => payments)).toHaveLength(1);
  });
});

describe('match by payout report references', () => {
  test('matches a processor line that contains the statement id', () => {
    const lines = [line({ id: 1, account: processor.id, kind: 'payment', reference: 'Statement 80168007' })];
    expect(
      summarizeGroups({ payments: [payment({ id: 500_001, statement_id: 80_168_007 })], lines }),
    ).toEqual(['confirmed payout-reference 1=500001']);
  });
});

describe('match by id in text', () => {
  const paid = payment({ id: 161_537_300, payment_id: 161_537_300, statement_id: 80_168_007 });

  test.each([
    ['the payment’s id as reference', { reference: '161537300' }],
    ['the id with leading zeros', { reference: 'INV-000161537300' }],
    ['the id split by spaces', { description: 'Transfer 161 537 300 received' }],
    ['the id split by dashes', { description: 'ref 161-537-300' }],
    ['the id in a sentence', { description: 'Thank you for invoice 161537300, see you next month' }],
    ['the id directly after a word', { description: 'PAYMENT161537300' }],
    ['the statement’s id in the text', { description: 'Statement no. 80168007' }],
    [
      'the id next to ids of other customers',
      { description: 'CARD 4242 TERMINAL 77 AUTH 004711 REF 161537300 03/04' },
    ],
  ])('matches %s', (_, lineFields) => {
    const others = [payment({ id: 161_539_999, statement_id: 80_169_999 })];
    expect(
      summarizeGroups({ payments: [paid, ...others], lines: [line({ id: 1, ...lineFields })] }),
    ).toContain('confirmed id-in-text 1=161537300');
  });

  test('finishes a strong pass before a weaker one starts', () => {
    const lines = [line({ id: 1, booked_on: '2026-03-03' }), line({ id: 2, reference: '161537300' })];
    expect(summarizeGroups({ payments: [paid], lines })).toEqual(['confirmed id-in-text 2=161537300']);
  });

  test('matches two lines to one payment, or one line to two, if the sums are equal', () => {
    const half = { reference: '161537300' };
    const lines = [
      line({ id: 1, amount_in_cents: 2000, ...half }),
      line({ id: 2, amount_in_cents: 2900, ...half }),
    ];
    expect(summarizeGroups({ payments: [paid], lines })).toEqual(['confirmed id-in-text 1+2=161537300']);
    const other = payment({
      id: 161_537_332,
      amount_in_cents: 1000,
      subscription_id: paid.subscription_id,
    });
    const both = line({ id: 3, amount_in_cents: 5900, description: 'Invoices 161537300 and 161537332' });
    expect(summarizeGroups({ payments: [paid, other], lines: [both] })).toEqual([
      'confirmed id-in-text 3=161537300+161537332',
    ]);
  });

  test('suggests a partial payment and leaves the remainder open', () => {
    const [only] = runGroups({
      payments: [paid],
      lines: [line({ id: 1, amount_in_cents: 2000, reference: '161537300' })],
    });
    expect(only).toMatchObject({
      status: 'suggested',
      lines: [{ id: 1, allocated_in_cents: 2000 }],
      payments: [{ id: 161_537_300, allocated_in_cents: 2000 }],
      difference_in_cents: 0,
    });
  });

  test('suggests a slightly smaller line and states the difference', () => {
    const [only] = runGroups({
      payments: [paid],
      lines: [line({ id: 1, amount_in_cents: 4750, reference: '161537300' })],
    });
    expect(only).toMatchObject({ status: 'suggested', difference_in_cents: -150 });
    expect(only?.reasons).toContainEqual({
      ...{ field: 'amount', text: 'The amounts differ by 1.50: 47.50 ≠ 49.00.', against: true },
    });
  });

  test('does not match across currencies', () => {
    expect(
      summarizeGroups({
        payments: [paid],
        lines: [line({ id: 1, currency: 'EUR', reference: '161537300' })],
      }),
    ).toEqual([]);
  });

  test('ignores a number that equals a payment’s id by chance', () => {
    const payments = Array.from({ length: 200 }, (_, n) =>
      payment({
        id: 1000 + n,
        amount_in_cents: 4900,
        paid_on: `2026-0${1 + (n % 9)}-1${n % 10}`,
        statement_id: 90_000 + n,
      }),
    );
    const lines = Array.from({ length: 120 }, (_, n) =>
      line({
        id: n + 1,
        booked_on: `2026-0${1 + (n % 9)}-1${n % 10}`,
        description: `Card ${1000 + ((n * 37) % 200)}`,
      }),
    );
    const confirmed = runGroups({ payments, lines }).filter(({ status }) => status === 'confirmed');
    expect(confirmed).toEqual([]);
  });

  test('gives id, amounts, dates and the proof as reasons', () => {
    const [only] = runGroups({ payments: [paid], lines: [line({ id: 1, reference: '80168007' })] });
    expect(only?.reasons).toMatchObject([
      { field: 'statement_id', text: 'The line quotes statement 80168007.' },
      { field: 'amount', text: 'The amounts agree: 49.00 = 49.00.' },
      { field: 'date', text: 'The line is dated 2 days after the payment.' },
      {
        field: 'proof',
        text: 'The line quotes 80168007. Nothing else has this amount within -3 to 14 days.',
        certificate: { facts: [{ fact: 'id', value: '80168007' }] },
      },
    ]);
  });
});

test('recognizes typing errors in references', () => {
  expect(
    ['16153730', '1615373000', '161537390', '165137300', '61537300'].map((said) =>
      isLikelyTypo(said, '161537300'),
    ),
  ).toEqual(Array(5).fill(true));
  expect(['4242', '161530000', '80168007'].map((said) => isLikelyTypo(said, '161537300'))).toEqual(
    Array(3).fill(false),
  );
});

describe('a number that may be a typing error', () => {
  const [ada, bo] = [
    payment({ id: 161_537_300, names: ['Ada Byron'] }),
    payment({ id: 161_537_900, names: ['Bo Diddley'] }),
  ];
  const createLineNaming = (id: number, name: string): ReturnType<typeof line> =>
    line({ id: 1, reference: String(id), counterparty: name });

  test.each([
    [
      'is suggested if the line names another customer',
      createLineNaming(bo.id, 'ADA BYRON'),
      'suggested id-in-text 1=161537900',
    ],
    [
      'is confirmed if the line names the payment’s customer',
      createLineNaming(bo.id, 'DIDDLEY BO'),
      'confirmed id-in-text 1=161537900',
    ],
    [
      'is suggested if the line names an unknown payer',
      createLineNaming(bo.id, 'GRACE HOPPER'),
      'suggested id-in-text 1=161537900',
    ],
  ])('%s', (_what, row, expected) => {
    expect(summarizeGroups({ payments: [ada, bo], lines: [row] })).toEqual([expected]);
  });

  test('is only suggested if the dates are unusually far apart', () => {
    const payments = Array.from({ length: 600 }, (_, n) => payment({ id: 161_000_000 + n * 64 }));
    const lines = payments.map(({ id }, n) =>
      line({ id: n + 1, reference: String(id), booked_on: n === 0 ? '2026-04-20' : '2026-03-04' }),
    );
    const groups = runGroups({ payments, lines });
    expect(groups.filter(({ status }) => status !== 'confirmed')).toMatchObject([
      { status: 'suggested', rule: 'id-in-text', lines: [{ id: 1 }] },
    ]);
  });
});
