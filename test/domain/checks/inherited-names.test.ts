import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkSubscription,
  type Finding,
  findCheckRule,
  readWebhookFacts,
} from '../../../src/domain/checks/index.ts';
import {
  findBalanceEffect,
  findTypeEffect,
  isFailedPayment,
  isSuccessfulPayment,
  isSuccessfulRefund,
} from '../../../src/domain/ledger/index.ts';
import { ALL_HABITS } from './all-habits.ts';
import { charge, event, payment, statement, subscription, utcTimeOn, webhook } from './record-builders.ts';

/** Property names that every object inherits. */
const inherited = fc.constantFrom(
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype),
  ...Object.getOwnPropertyNames(Function.prototype),
);
/** Returns a name of the same length that is not an inherited property. */
const toUninheritedName = (name: string): string => name.replaceAll(/[a-z]/gi, 'x').concat('-q');

const transaction = (transaction_type: string, type: string) => ({
  transaction_type,
  type,
  amount_in_cents: 500,
  success: true,
  starting_balance_in_cents: null,
  ending_balance_in_cents: null,
});

describe('a name that is also an object property', () => {
  test('is an unknown transaction type with an unknown effect', () => {
    fc.assert(
      fc.property(inherited, inherited, (transaction_type, type) => {
        const movement = transaction(transaction_type, type);
        expect(findTypeEffect(movement)).toBeNull();
        expect(findBalanceEffect(movement)).toBeNull();
        expect([
          isSuccessfulPayment(movement),
          isFailedPayment(movement),
          isSuccessfulRefund(movement),
        ]).toEqual([false, false, false]);
        expect(findCheckRule(transaction_type)).toBeNull();
      }),
    );
  });

  test('has no influence on the findings in any field', () => {
    /** Checks records that use this name in every free-text field, and returns the findings. */
    const findings = (name: string) => {
      const recordWithName = { kind: name, memo: name, gateway_transaction_id: name };
      const lines = [
        charge(4000, recordWithName),
        { ...payment(3000, recordWithName), type: name, transaction_type: name },
      ];
      const record = {
        ...subscription([
          statement({
            ...{ id: 3, lines, closes: 1000, settled_at: null, text_view: `${name} 12.00` },
            events: [event(name, { new_state: name })],
          }),
        ]),
        webhooks: [webhook(name, { last_error: name, successful: false, accepted_at: null })],
        components: [
          {
            component_id: 1,
            name,
            complete: true,
            allocations: [1, 2].map((quantity) => ({
              timestamp: utcTimeOn(`2026-03-0${quantity}`),
              ordinal: 0,
              quantity,
              previous_quantity: quantity - 1,
              proration_upgrade_scheme: name,
              proration_downgrade_scheme: name,
            })),
          },
        ],
      };
      const context = {
        now: utcTimeOn('2027-01-01'),
        webhookLog: { from: 0, to: utcTimeOn('2027-01-01') },
        habits: ALL_HABITS,
      };
      return checkSubscription(record, context);
    };
    fc.assert(
      fc.property(inherited, (name) => {
        const found = findings(name);
        const same = ({ rule, subject, difference_in_cents, arithmetic, key }: Finding) =>
          JSON.stringify({ rule, subject, difference_in_cents, arithmetic, key });
        expect(found.map(({ rule }) => rule)).toContain('unknown-transaction-type');
        expect(found.map(same)).toEqual(findings(toUninheritedName(name)).map(same));
        for (const { message } of found) expect(message).not.toMatch(/native code|\[object/);
      }),
    );
  });

  test('yields no facts from a webhook body', () => {
    fc.assert(
      fc.property(inherited, inherited, (name, other) => {
        const facts = readWebhookFacts(
          [`payload[${name}][id]`, `payload[statement][${name}]`, `payload[transaction][${other}]`, name].map(
            (key) => ({ key, value: '7' }),
          ),
        );
        expect(facts).toMatchObject({ statement: null, transactions: [] });
      }),
    );
  });
});
