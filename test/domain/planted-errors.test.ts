import { describe, expect, test } from 'vitest';
import {
  checkRules,
  checkSubscription,
  type Finding,
  type SubscriptionRecord,
} from '../../src/domain/checks/index.ts';
import { everyHabit } from './checks/contexts.ts';
import { simulateLife } from './checks/simulation.ts';
import { ordinaryLife } from './generator.ts';
import { plants } from './plants/index.ts';

/** Plants an error in an ordinary subscription and returns the findings. */
function found(
  id: number,
  plant: (typeof plants)[number] | null,
): { findings: Finding[]; named: number | null } {
  const { draft, from, now } = simulateLife(ordinaryLife(id));
  const named = plant?.plant(draft) ?? null;
  const verifySignature: (webhook: { signature: string | null }) => boolean = ({ signature }) =>
    signature === 'fits';
  const record: SubscriptionRecord = draft;
  const findings = checkSubscription(record, {
    now,
    webhookLog: { from, to: now },
    habits: everyHabit,
    verifySignature,
  });
  return { findings, named };
}

const told = ({ rule, message }: Finding): string => `${rule}: ${message}`;

describe('a single planted error', () => {
  for (const plant of plants) {
    test(`${plant.name}: ${plant.rule}, and nothing else`, () => {
      for (const id of [1, 2, 3, 4, 5, 6]) {
        const { findings, named } = found(id, plant);
        expect(
          findings.map(({ rule }) => rule),
          findings.map(told).join('\n'),
        ).toEqual([plant.rule]);
        const [finding] = findings;
        if (named !== null) expect(finding?.subject.statement_id, finding?.message).toBe(named);
        expect(finding?.subject.subscription_id).toBe(id);
        expect(finding?.rows.length).toBeGreaterThan(0);
        expect(finding?.message).toMatch(/^[A-Z].*\.$/s);
      }
    });
  }

  test('exists for every rule', () => {
    expect(new Set(plants.map(({ rule }) => rule))).toEqual(new Set(checkRules.map(({ id }) => id)));
  });
});

describe('planted errors among clean data', () => {
  test('are found where they are, without false findings', () => {
    const wanted: string[] = [];
    const got: string[] = [];
    for (let id = 1; id <= plants.length * 12; id++) {
      const plant = id % 12 === 0 ? (plants[id / 12 - 1] ?? null) : null;
      if (plant) wanted.push(`${id} ${plant.rule}`);
      got.push(...found(id, plant).findings.map(({ rule }) => `${id} ${rule}`));
    }
    expect(got).toEqual(wanted);
  });
});
