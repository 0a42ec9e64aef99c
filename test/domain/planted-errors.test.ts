import { describe, expect, test } from 'vitest';
import { findingCauses } from '../../src/domain/checks/causes/index.ts';
import {
  checkRules,
  checkSubscription,
  type Finding,
  type SubscriptionRecord,
} from '../../src/domain/checks/index.ts';
import { ALL_HABITS } from './checks/all-habits.ts';
import { simulateLife } from './checks/simulate-life.ts';
import { ordinaryLife } from './history-generator.ts';
import { type PlantedError, plantedErrors } from './planted-errors/index.ts';
import { ORDINARY_STATEMENT, statementAt } from './planted-errors/plant.ts';

/** Plants an error in an ordinary subscription history and returns the findings. */
function plantAndCheck(
  id: number,
  plant: (typeof plantedErrors)[number] | null,
): { findings: readonly Finding[]; named: number | null } {
  const { draft, from, now } = simulateLife(ordinaryLife(id));
  const named = plant?.plant(draft) ?? null;
  const verifySignature: (webhook: { signature: string | null }) => boolean = ({ signature }) =>
    signature === 'fits';
  const record: SubscriptionRecord = draft;
  const findings = checkSubscription(record, {
    now,
    webhookLog: { from, to: now },
    habits: ALL_HABITS,
    verifySignature,
  });
  return { findings, named };
}

const formatFinding = ({ rule, message }: Finding): string => `${rule}: ${message}`;

describe('a single planted error', () => {
  for (const plant of plantedErrors) {
    test(`${plant.name}: ${plant.rule}, and nothing else`, () => {
      for (const id of [1, 2, 3, 4, 5, 6]) {
        const { findings, named } = plantAndCheck(id, plant);
        expect(
          findings.map(({ rule }) => rule),
          findings.map(formatFinding).join('\n'),
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
    expect(new Set(plantedErrors.map(({ rule }) => rule))).toEqual(new Set(checkRules.map(({ id }) => id)));
  });
});

describe('planted errors among clean data', () => {
  test('are found at their location, without false findings', () => {
    const expectedFindings: string[] = [];
    const actualFindings: string[] = [];
    for (let id = 1; id <= plantedErrors.length * 12; id++) {
      const plant = id % 12 === 0 ? (plantedErrors[id / 12 - 1] ?? null) : null;
      if (plant) expectedFindings.push(`${id} ${plant.rule}`);
      actualFindings.push(...plantAndCheck(id, plant).findings.map(({ rule }) => `${id} ${rule}`));
    }
    expect(actualFindings).toEqual(expectedFindings);
  });
});

describe('a group of findings', () => {
  for (const cause of plantedErrors.filter(({ rule }) => findingCauses.some(({ id }) => id === rule)))
    test(`${cause.name}: has no finding of an independent error as member`, () => {
      for (const id of [7, 8, 9]) {
        const [alone] = plantAndCheck(id, cause).findings;
        const independent: PlantedError = {
          ...cause,
          plant: (draft) => {
            const statement = statementAt(draft, ORDINARY_STATEMENT + 4);
            statement.ending_balance_in_cents = (statement.ending_balance_in_cents ?? 0) + 4321;
            return cause.plant(draft);
          },
        };
        const [group, other, ...more] = plantAndCheck(id, independent).findings;
        expect(group?.members.map(({ key }) => key)).toEqual(alone?.members.map(({ key }) => key));
        expect([other?.rule, ...more]).toEqual(['statement-foots']);
      }
    });
});
