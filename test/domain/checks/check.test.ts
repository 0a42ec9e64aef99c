import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingCauses } from '../../../src/domain/checks/causes/index.ts';
import {
  checkRules,
  checkSubscription,
  type Finding,
  findCheckRule,
} from '../../../src/domain/checks/index.ts';
import { ordinaryLife } from '../history-generator.ts';
import { plantedErrors } from '../planted-errors/index.ts';
import { ALL_HABITS } from './all-habits.ts';
import { charge, messages, payment, statement, subscription, utcTimeOn } from './record-builders.ts';
import { simulateLife } from './simulate-life.ts';

const draftWithError = (id: number, place: number) => {
  const { draft, from, now } = simulateLife(ordinaryLife(id));
  plantedErrors[place]?.plant(draft);
  const verify = ({ signature }: { signature: string | null }) => signature === 'fits';
  return {
    draft,
    context: { now, webhookLog: { from, to: now }, habits: ALL_HABITS, verifySignature: verify },
  };
};

describe('every rule', () => {
  test('has a unique id and an explanation', () => {
    expect(new Set(checkRules.map(({ id }) => id)).size).toBe(checkRules.length);
    for (const { id, title, explanation, version } of checkRules) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/);
      expect(title.length).toBeLessThan(50);
      expect(explanation.split(/[.;:] /).length, id).toBeGreaterThanOrEqual(2);
      expect(explanation, id).not.toMatch(/ {2}/);
      expect(version).toBeGreaterThan(0);
      expect(findCheckRule(id)?.title).toBe(title);
    }
    expect(findCheckRule('no-such-rule')).toBeNull();
  });

  test('can be disabled', () => {
    plantedErrors.forEach(({ rule }, place) => {
      const { draft, context } = draftWithError(1, place);
      const disabled = new Set(checkRules.map(({ id }) => id));
      expect(checkSubscription(draft, { ...context, disabled })).toEqual([]);
      // A cause finds nothing without the rules whose findings it groups.
      if (findingCauses.some(({ id }) => id === rule)) return;
      disabled.delete(rule);
      expect(checkSubscription(draft, { ...context, disabled }).map((finding) => finding.rule)).toEqual([
        rule,
      ]);
    });
  });
});

describe('a finding', () => {
  test('has the same key and evidence for any order of rows', () => {
    const identity = (findings: readonly Finding[]) =>
      findings.map(({ key, evidence }) => [key, evidence]).sort();
    plantedErrors.forEach((_, place) => {
      const { draft, context } = draftWithError(2, place);
      const reordered = {
        ...draft,
        statements: draft.statements.toReversed(),
        webhooks: draft.webhooks.toReversed(),
      };
      expect(identity(checkSubscription(reordered, context))).toEqual(
        identity(checkSubscription(draft, context)),
      );
    });
  });

  test('changes its evidence only if an underlying row changes', () => {
    const wrong = statement({ id: 3, lines: [charge(4000)], closes: 100, settled_at: null });
    const context = { now: utcTimeOn('2027-01-01') };
    const findEvidence = (...statements: Parameters<typeof subscription>[0]) =>
      checkSubscription(subscription(statements), context)[0]?.evidence;
    const before = findEvidence(wrong);
    expect(
      findEvidence(
        { ...wrong, updated_at: 1, read_at: utcTimeOn('2026-09-09'), text_view: 'new' },
        statement({ id: 4, opens: 100, closes: 100, settled_at: null }),
      ),
    ).toBe(before);
    expect(findEvidence(statement({ id: 3, lines: [charge(4001)], closes: 101, settled_at: null }))).not.toBe(
      before,
    );
  });

  test('has a unique key', () => {
    const lines = [charge(4000), payment(9000, { success: false }), payment(100, { success: false })];
    const record = subscription([1, 2, 3].map((id) => statement({ id, opens: 7, lines, closes: 5 })));
    const keys = checkSubscription(record, { now: utcTimeOn('2027-01-01') }).map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(3);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('has a difference equal to the actual less the expected figure', () => {
    plantedErrors.forEach((_, place) => {
      const { draft, context } = draftWithError(3, place);
      for (const { expected_in_cents, actual_in_cents, difference_in_cents } of checkSubscription(
        draft,
        context,
      )) {
        if (expected_in_cents === null || actual_in_cents === null) continue;
        expect(difference_in_cents).toBe(actual_in_cents - expected_in_cents);
      }
    });
  });
});

describe('checking random input', () => {
  const anyTime = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.constantFrom(0, -1, 8.64e15, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  );
  const cents = fc.oneof(fc.integer(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER));
  /** Matches text that appears in a message only because of a bug. */
  const bugText = /undefined|NaN|Invalid Date/;
  const text = fc.oneof(
    fc.constant(null),
    fc.string().filter((given) => !bugText.test(given)),
    fc.constantFrom('payment', 'Payment', '', 'charge', '__proto__'),
  );
  const line = fc.record({
    id: fc.nat(5),
    transaction_type: text,
    type: text,
    kind: text,
    amount_in_cents: cents,
    starting_balance_in_cents: anyTime,
    ending_balance_in_cents: anyTime,
    success: fc.constantFrom(true, false, null),
    memo: text,
    created_at: anyTime,
    gateway_transaction_id: text,
  });
  const anyStatement = fc
    .record({
      id: fc.nat(6),
      opened_at: anyTime,
      closed_at: anyTime,
      settled_at: anyTime,
      lines: fc.array(line, { maxLength: 6 }),
      text_view: text,
    })
    .chain((given) => fc.record({ given: fc.constant(given), opens: anyTime, closes: anyTime }))
    .map(({ given, opens, closes }) => ({
      ...statement({ id: given.id }),
      opened_at: given.opened_at,
      closed_at: given.closed_at,
      settled_at: given.settled_at,
      text_view: given.text_view,
      transactions: given.lines.map((each) => ({
        ...each,
        created_on: null,
        subscription_id: null,
        customer_id: null,
        statement_id: null,
        currency: null,
        payment_id: null,
        component_id: null,
      })),
      starting_balance_in_cents: opens,
      ending_balance_in_cents: closes,
    }));

  test('never throws', () => {
    fc.assert(
      fc.property(fc.array(anyStatement, { maxLength: 5 }), anyTime, (statements, now) => {
        const findings = checkSubscription(subscription(statements), { now: now ?? 0, habits: ALL_HABITS });
        for (const message of messages(findings)) expect(message).not.toMatch(bugText);
        for (const { difference_in_cents: difference, arithmetic } of findings) {
          for (const figure of [difference, ...arithmetic.map(({ amount_in_cents }) => amount_in_cents)]) {
            expect(figure === null || Number.isSafeInteger(figure)).toBe(true);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
