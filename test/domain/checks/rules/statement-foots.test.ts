import { describe, expect, test } from 'vitest';
import {
  adjustment,
  charge,
  credit,
  failed,
  findingsOf,
  messages,
  payment,
  refund,
  statement,
  subscription,
} from '../record-builders.ts';

const check = (...statements: Parameters<typeof subscription>[0]) =>
  findingsOf('statement-foots', subscription(statements));

describe('statement-foots', () => {
  test('requires opening balance, charges and payments to total the closing balance', () => {
    const [finding] = check(
      statement({ id: 3, lines: [charge(4000), charge(250, { kind: 'tax' }), payment(4250)], closes: 100 }),
    );
    expect(finding).toMatchObject({
      subject: { subscription_id: 7, statement_id: 3 },
      expected_in_cents: 0,
      actual_in_cents: 100,
      difference_in_cents: 100,
      message:
        'Statement 3 opens at 0.00 and its transactions total 0.00, so it should close at 0.00. It closes at 1.00, a difference of 1.00.',
      key: 'statement-foots/statement 3',
    });
    expect(finding?.arithmetic).toEqual([
      { label: 'Opening balance', amount_in_cents: 0 },
      { label: 'Charges', amount_in_cents: 4250 },
      { label: 'Payments', amount_in_cents: -4250 },
      { label: 'Closing balance, computed', amount_in_cents: 0 },
      { label: 'Closing balance as stated', amount_in_cents: 100 },
      { label: 'Difference', amount_in_cents: 100 },
    ]);
    expect(finding?.rows).toEqual([
      { kind: 'statement', id: 3 },
      { kind: 'transaction', id: 300, statement_id: 3 },
      { kind: 'transaction', id: 301, statement_id: 3 },
      { kind: 'transaction', id: 302, statement_id: 3 },
    ]);
  });

  test('counts each type by its effect', () => {
    const lines = [
      charge(4000),
      credit(-300),
      credit(200),
      adjustment(-500),
      adjustment(100),
      failed(3100),
      refund(900),
    ];
    expect(check(statement({ id: 3, opens: 50, lines, closes: 3150 }))).toEqual([]);
  });

  test('ignores open statements without closing balance', () => {
    expect(check(statement({ id: 3, lines: [charge(4000)], closes: 0, closed_at: null }))).toEqual([]);
    expect(check(statement({ id: 3, lines: [charge(4000)], closes: null, closed_at: null }))).toEqual([]);
  });

  test('accepts a statement without transactions', () => {
    expect(check(statement({ id: 1 }))).toEqual([]);
  });

  test('does not foot statements with a transaction of unknown effect', () => {
    const lines = [charge(4000, { transaction_type: 'voucher', type: 'Voucher' })];
    expect(check(statement({ id: 3, lines, closes: 123 }))).toEqual([]);
  });

  test('locates the error by running balances', () => {
    const lines = [
      charge(3900, { starting_balance_in_cents: 0, ending_balance_in_cents: 4000 }),
      payment(4000, { starting_balance_in_cents: 4000, ending_balance_in_cents: 0 }),
    ];
    expect(messages(check(statement({ id: 3, lines, closes: 0 })))).toEqual([
      'Statement 3 opens at 0.00 and its transactions total -1.00, so it should close at -1.00. It closes at 0.00, a difference of 1.00. ' +
        'Transaction 300 has an amount of 39.00 but changes the running balance by 40.00.',
    ]);
  });

  test('locates the error by the next statement', () => {
    const wrong = statement({ id: 3, lines: [charge(4000)], closes: 3000 });
    const after = statement({ id: 4, opens: 4000, lines: [payment(4000)] });
    expect(messages(check(wrong, after))[0]).toMatch(
      /a difference of -10\.00\. The next statement opens at the balance at which this one should close\.$/,
    );
  });

  test('reports amounts that are too large to add', () => {
    const lines = [charge(Number.MAX_SAFE_INTEGER), charge(Number.MAX_SAFE_INTEGER)];
    expect(messages(check(statement({ id: 3, lines, closes: 0 })))).toEqual([
      'The amounts of statement 3 are too large to add exactly, so the statement cannot be footed.',
    ]);
  });
});
