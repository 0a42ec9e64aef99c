import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ClaimedAmount,
  type DeclinedMatch,
  type MatchGroup,
  runMatching,
} from '../../../src/domain/matching/index.ts';
import { createLabeledData } from '../../bench/labeled-bank-data.ts';
import { findBrokenInvariants } from './invariants.ts';
import { line, payment, runGroups, summarizeGroups } from './sample-rows.ts';

const listPairs = ({ lines, payments }: MatchGroup): string[] =>
  lines.flatMap((one) => payments.map((other) => `${one.id}=${other.id}`));

describe('decisions by people', () => {
  const rows = { payments: [payment({ id: 1001 }), payment({ id: 1002 })], lines: [line({ id: 1 })] };

  test('does not propose a declined pair again or count it as an alternative', () => {
    const declined = [{ lines: [1], payments: [1001] }];
    expect(summarizeGroups({ ...rows, declined })).toEqual(['suggested amount-date 1=1002']);
  });

  test('does not propose a declined pair by its id', () => {
    const lines = [line({ id: 1, reference: '161537300' })];
    const payments = [payment({ id: 161_537_300 })];
    expect(summarizeGroups({ payments, lines, declined: [{ lines: [1], payments: [161_537_300] }] })).toEqual(
      [],
    );
  });

  test('does not propose a declined refund or confirm its line as a chargeback', () => {
    const refund = {
      kind: 'refund' as const,
      payment_id: 1001,
      amount_in_cents: -4900,
      paid_on: '2026-03-09',
    };
    const payments = [
      payment({ id: 1001, gateway_transaction_id: 'ch_0001a' }),
      payment({ ...refund, id: 1002, gateway_transaction_id: 're_9z' }),
    ];
    const lines = [
      line({ id: 1, reference: 'ch_0001a' }),
      line({ id: 2, reference: 'ch_0001a', amount_in_cents: -4900, booked_on: '2026-03-10' }),
    ];
    const declined = [{ lines: [2], payments: [1002] }];
    expect(summarizeGroups({ payments, lines, declined })).toEqual([
      'confirmed gateway-id 1=1001',
      'suggested reversal 2=',
    ]);
    const another = payment({ ...refund, id: 1003, gateway_transaction_id: 're_8y' });
    expect(summarizeGroups({ payments: [...payments, another], lines, declined })).toEqual([
      'confirmed gateway-id 1=1001',
      'confirmed reversal 2=1003',
    ]);
  });

  test('matches only the amount that no decision claims', () => {
    const claims: ClaimedAmount[] = [
      { of: 'line', id: 1, amount_in_cents: 1000 },
      { of: 'payment', id: 1001, amount_in_cents: 4900 },
      { of: 'payment', id: 1002, amount_in_cents: 1000 },
    ];
    const [only] = runGroups({ ...rows, claims });
    expect(only).toMatchObject({
      status: 'suggested',
      lines: [{ id: 1, allocated_in_cents: 3900 }],
      payments: [{ id: 1002, allocated_in_cents: 3900 }],
    });
  });

  test('no longer confirms a match after an import adds an equal line', () => {
    const one = { payments: [payment({ id: 1001 })], lines: [line({ id: 1 })] };
    expect(summarizeGroups(one)).toEqual(['confirmed amount-date 1=1001']);
    const both = { ...one, lines: [...one.lines, line({ id: 2, description: 'Another one' })] };
    expect(runGroups(both).map(({ status }) => status)).toEqual(['ambiguous', 'ambiguous']);
  });
});

/** Stored decisions: confirmed and declined match groups. */
interface Books {
  readonly confirmed: Map<string, MatchGroup>;
  readonly declined: Map<string, MatchGroup>;
}

type DecisionStep = { readonly action: 'confirm' | 'decline' | 'undo'; readonly nth: number };

const anyStep: fc.Arbitrary<DecisionStep> = fc.record({
  action: fc.constantFrom('confirm', 'confirm', 'decline', 'undo'),
  nth: fc.nat(500),
});

/** Groups with a difference are not confirmed, because a person would have to explain the difference. */
describe('random sequences of decisions and runs', () => {
  test('preserve all invariants', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(anyStep, { minLength: 1, maxLength: 14 }),
        (seed, steps) => {
          const data = createLabeledData({
            seed,
            payments: 90,
            days: 20,
            unreferenced: 0.7,
            twins: 0.05,
            split: 0.05,
            joined: 0.05,
            foreign: 0.1,
            missing: 0.1,
            processor: 0.1,
          });
          const books: Books = { confirmed: new Map(), declined: new Map() };
          const run = (): MatchGroup[] => {
            const input = { ...data, claims: listClaims(books), declined: listDeclined(books) };
            const groups = [...runMatching(input).groups()];
            expect(findBrokenInvariants(input, groups)).toEqual([]);
            const no = new Set([...books.declined.values()].flatMap(listPairs));
            expect(groups.flatMap(listPairs).filter((pair) => no.has(pair))).toEqual([]);
            return groups;
          };
          const before = run();
          for (const { action, nth } of steps) {
            if (action === 'undo') {
              const all = [...books.confirmed.keys(), ...books.declined.keys()];
              const key = all[nth % Math.max(1, all.length)];
              if (key === undefined) continue;
              books.confirmed.delete(key);
              books.declined.delete(key);
            } else {
              const groups = run().filter((group) => action === 'decline' || isFullyMatched(group));
              const group = groups[nth % Math.max(1, groups.length)];
              if (group !== undefined)
                books[action === 'confirm' ? 'confirmed' : 'declined'].set(group.key, group);
            }
            run();
          }
          books.confirmed.clear();
          books.declined.clear();
          expect(run()).toEqual(before);
        },
      ),
      { numRuns: 10 },
    );
  });
});

const isFullyMatched = (group: MatchGroup): boolean =>
  group.difference_in_cents === 0 && (group.payments.length > 0 || group.adjustments.length > 0);

function listClaims({ confirmed }: Books): ClaimedAmount[] {
  return [...confirmed.values()].flatMap(({ lines, payments }) => [
    ...lines.map(({ id, allocated_in_cents }) => ({
      of: 'line' as const,
      id,
      amount_in_cents: allocated_in_cents,
    })),
    ...payments.map(({ id, allocated_in_cents }) => ({
      of: 'payment' as const,
      id,
      amount_in_cents: allocated_in_cents,
    })),
  ]);
}

function listDeclined({ declined }: Books): DeclinedMatch[] {
  return [...declined.values()].map(({ lines, payments }) => ({
    lines: lines.map(({ id }) => id),
    payments: payments.map(({ id }) => id),
  }));
}
