import { describe, expect, test } from 'vitest';
import {
  balanceEffect,
  effectRowOf,
  effectTable,
  isFailedPayment,
  isPaymentMade,
  type Movement,
} from '../../../src/domain/ledger/index.ts';

const of = (
  transaction_type: string | null,
  amount_in_cents: number,
  more: Partial<Movement> = {},
): Movement => ({
  transaction_type,
  type: null,
  amount_in_cents,
  success: true,
  starting_balance_in_cents: null,
  ending_balance_in_cents: null,
  ...more,
});
const moved = (starting_balance_in_cents: number, ending_balance_in_cents: number): Partial<Movement> => ({
  starting_balance_in_cents,
  ending_balance_in_cents,
});

describe('the effect of a transaction on the balance', () => {
  test('a charge raises it, a payment and a credit lower it, a refund leaves it', () => {
    expect(balanceEffect(of('charge', 4000))).toBe(4000);
    expect(balanceEffect(of('payment', 4250))).toBe(-4250);
    expect(balanceEffect(of('credit', -500))).toBe(-500);
    expect(balanceEffect(of('refund', 4250))).toBe(0);
    expect(balanceEffect(of('info', 0))).toBe(0);
    expect(balanceEffect(of('payment_authorization', 4250))).toBe(0);
  });

  test('a credit lowers it whichever sign is sent', () => {
    expect(balanceEffect(of('credit', 500))).toBe(-500);
    // Balances that say otherwise do not make a credit a charge; the rule of running balances finds them.
    expect(balanceEffect(of('credit', 500, moved(0, 500)))).toBe(-500);
  });

  test('an adjustment goes by its sign, unless the running balances show the other', () => {
    expect(balanceEffect(of('adjustment', -1000))).toBe(-1000);
    expect(balanceEffect(of('adjustment', 1000, moved(8800, 9800)))).toBe(1000);
    expect(balanceEffect(of('adjustment', 1000, moved(8800, 7800)))).toBe(-1000);
    expect(balanceEffect(of('adjustment', 1000, moved(8800, 1234)))).toBe(1000);
  });

  test('a failed payment does nothing, whatever its balances say', () => {
    const failed = of('payment', 4250, { success: false, ...moved(4250, 0) });
    expect(balanceEffect(failed)).toBe(0);
    expect(isFailedPayment(failed)).toBe(true);
    expect(isPaymentMade(failed)).toBe(false);
  });

  test('a payment that does not say whether it succeeded did, unless the balances show that nothing moved', () => {
    expect(balanceEffect(of('payment', 4250, { success: null }))).toBe(-4250);
    expect(balanceEffect(of('payment', 4250, { success: null, ...moved(4250, 4250) }))).toBe(0);
  });

  test('a negative payment lowers it like a positive one, unless the balances show that it was taken back', () => {
    expect(balanceEffect(of('payment', -4250))).toBe(-4250);
    expect(balanceEffect(of('payment', -4250, moved(0, 4250)))).toBe(4250);
  });

  test('an unsuccessful charge counts only where the balances show it', () => {
    expect(balanceEffect(of('charge', 900, { success: false }))).toBe(0);
    expect(balanceEffect(of('charge', 900, { success: false, ...moved(0, 900) }))).toBe(900);
  });

  test('an unknown type is never guessed, not even from its balances', () => {
    expect(balanceEffect(of('voucher', 500, moved(500, 0)))).toBeNull();
    expect(balanceEffect(of(null, 500))).toBeNull();
  });

  test('types are known by either of their names; names that contradict each other are no type', () => {
    expect(effectRowOf({ transaction_type: null, type: 'Payment' })?.transaction_type).toBe('payment');
    expect(effectRowOf({ transaction_type: 'info_transaction', type: '' })?.transaction_type).toBe('info');
    expect(effectRowOf({ transaction_type: 'charge', type: 'Charge' })?.transaction_type).toBe('charge');
    expect(effectRowOf({ transaction_type: 'charge', type: 'Payment' })).toBeNull();
    expect(effectRowOf({ transaction_type: 'voucher', type: 'Charge' })).toBeNull();
    expect(effectRowOf({ transaction_type: 'charge', type: 'SetupCharge' })?.transaction_type).toBe('charge');
  });
});

describe('the table of effects', () => {
  test('has each type once, with the generic kind and its source', () => {
    expect(effectTable.map(({ transaction_type }) => transaction_type)).toEqual([
      'charge',
      'credit',
      'adjustment',
      'payment',
      'refund',
      'info',
      'payment_authorization',
    ]);
    for (const { kinds, source, why } of effectTable) {
      expect(kinds).toContain(null);
      expect(source.length * why.length).toBeGreaterThan(0);
    }
  });

  test('a kind never changes what its type does', () => {
    for (const { transaction_type, kinds } of effectTable) {
      const effects = kinds.map((kind) => balanceEffect({ ...of(transaction_type, 700), kind } as Movement));
      expect(new Set(effects).size).toBe(1);
    }
  });
});
