import { describe, expect, test } from 'vitest';
import {
  type BalanceTransaction,
  findBalanceEffect,
  findTypeEffect,
  isFailedPayment,
  isSuccessfulPayment,
  TRANSACTION_TYPE_EFFECTS,
} from '../../../src/domain/ledger/index.ts';

const createTransaction = (
  transaction_type: string | null,
  amount_in_cents: number,
  more: Partial<BalanceTransaction> = {},
): BalanceTransaction => ({
  transaction_type,
  type: null,
  amount_in_cents,
  success: true,
  starting_balance_in_cents: null,
  ending_balance_in_cents: null,
  ...more,
});
const withBalances = (
  starting_balance_in_cents: number,
  ending_balance_in_cents: number,
): Partial<BalanceTransaction> => ({
  starting_balance_in_cents,
  ending_balance_in_cents,
});

describe('the effect of a transaction on the balance', () => {
  test('a charge raises it, a payment or credit lowers it, a refund has none', () => {
    expect(findBalanceEffect(createTransaction('charge', 4000))).toBe(4000);
    expect(findBalanceEffect(createTransaction('payment', 4250))).toBe(-4250);
    expect(findBalanceEffect(createTransaction('credit', -500))).toBe(-500);
    expect(findBalanceEffect(createTransaction('refund', 4250))).toBe(0);
    expect(findBalanceEffect(createTransaction('info', 0))).toBe(0);
    expect(findBalanceEffect(createTransaction('payment_authorization', 4250))).toBe(0);
  });

  test('a credit lowers it with either sign', () => {
    expect(findBalanceEffect(createTransaction('credit', 500))).toBe(-500);
    // Contradictory balances do not make a credit a charge; `running-balances` reports them.
    expect(findBalanceEffect(createTransaction('credit', 500, withBalances(0, 500)))).toBe(-500);
  });

  test('an adjustment follows its sign unless the running balances contradict', () => {
    expect(findBalanceEffect(createTransaction('adjustment', -1000))).toBe(-1000);
    expect(findBalanceEffect(createTransaction('adjustment', 1000, withBalances(8800, 9800)))).toBe(1000);
    expect(findBalanceEffect(createTransaction('adjustment', 1000, withBalances(8800, 7800)))).toBe(-1000);
    expect(findBalanceEffect(createTransaction('adjustment', 1000, withBalances(8800, 1234)))).toBe(1000);
  });

  test('a failed payment has none, whatever its balances', () => {
    const failed = createTransaction('payment', 4250, { success: false, ...withBalances(4250, 0) });
    expect(findBalanceEffect(failed)).toBe(0);
    expect(isFailedPayment(failed)).toBe(true);
    expect(isSuccessfulPayment(failed)).toBe(false);
  });

  test('a payment without a success flag counts unless the balances are unchanged', () => {
    expect(findBalanceEffect(createTransaction('payment', 4250, { success: null }))).toBe(-4250);
    expect(
      findBalanceEffect(createTransaction('payment', 4250, { success: null, ...withBalances(4250, 4250) })),
    ).toBe(0);
  });

  test('a negative payment lowers it unless the balances show a reversal', () => {
    expect(findBalanceEffect(createTransaction('payment', -4250))).toBe(-4250);
    expect(findBalanceEffect(createTransaction('payment', -4250, withBalances(0, 4250)))).toBe(4250);
  });

  test('an unsuccessful charge counts only if the balances show it', () => {
    expect(findBalanceEffect(createTransaction('charge', 900, { success: false }))).toBe(0);
    expect(
      findBalanceEffect(createTransaction('charge', 900, { success: false, ...withBalances(0, 900) })),
    ).toBe(900);
  });

  test('an unknown type is never guessed, not even from its balances', () => {
    expect(findBalanceEffect(createTransaction('voucher', 500, withBalances(500, 0)))).toBeNull();
    expect(findBalanceEffect(createTransaction(null, 500))).toBeNull();
  });

  test('either name identifies a type, but contradictory names do not', () => {
    expect(findTypeEffect({ transaction_type: null, type: 'Payment' })?.transaction_type).toBe('payment');
    expect(findTypeEffect({ transaction_type: 'info_transaction', type: '' })?.transaction_type).toBe('info');
    expect(findTypeEffect({ transaction_type: 'charge', type: 'Charge' })?.transaction_type).toBe('charge');
    expect(findTypeEffect({ transaction_type: 'charge', type: 'Payment' })).toBeNull();
    expect(findTypeEffect({ transaction_type: 'voucher', type: 'Charge' })).toBeNull();
    expect(findTypeEffect({ transaction_type: 'charge', type: 'SetupCharge' })?.transaction_type).toBe(
      'charge',
    );
  });
});

describe('the table of effects', () => {
  test('contains each type once', () => {
    expect(TRANSACTION_TYPE_EFFECTS.map(({ transaction_type }) => transaction_type)).toEqual([
      'charge',
      'credit',
      'adjustment',
      'payment',
      'refund',
      'info',
      'payment_authorization',
    ]);
  });

  test('a kind never changes the effect of its type', () => {
    const kinds = [
      'trial',
      'tax',
      'coupon',
      'prorated',
      'referral',
      'manual',
      'reactivation',
      'voided_invoice',
      null,
    ];
    for (const { transaction_type } of TRANSACTION_TYPE_EFFECTS) {
      const effects = kinds.map((kind) =>
        findBalanceEffect({ ...createTransaction(transaction_type, 700), kind } as BalanceTransaction),
      );
      expect(new Set(effects).size).toBe(1);
    }
  });
});
