import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSubscription, type SubscriptionRecord } from '../../src/domain/checks/index.ts';
import { ALL_HABITS } from './checks/all-habits.ts';
import { simulateLife, toRecord } from './checks/simulate-life.ts';
import { anyLife } from './history-generator.ts';

const runs = Number(process.env['TIEOUT_RUNS'] ?? 400);

describe('a subscription with consistent records', () => {
  test('gives no finding for any history', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const { draft, from, now } = simulateLife(life);
        const context = {
          now,
          webhookLog: { from, to: now },
          habits: ALL_HABITS,
          verifySignature: () => true,
        };
        expect(listMessages(toRecord(draft), context)).toEqual([]);
      }),
      { numRuns: runs },
    );
  });

  test('gives no finding if the log starts after the history', () => {
    fc.assert(
      fc.property(anyLife, fc.double({ min: 0, max: 1, noNaN: true }), (life, share) => {
        const { draft, from, now } = simulateLife(life);
        const window = { from: from + share * (now - from), to: now };
        const webhooks = draft.webhooks.filter(({ created_at }) => (created_at ?? 0) >= window.from);
        const record = { ...draft, webhooks };
        expect(listMessages(record, { now, webhookLog: window, habits: ALL_HABITS })).toEqual([]);
      }),
      { numRuns: runs / 4 },
    );
  });

  test('gives no finding with an older copy of a statement', () => {
    fc.assert(
      fc.property(anyLife, fc.nat(), (life, pick) => {
        const { draft, from, now } = simulateLife(life);
        const then = pick % (life.months.length + 1);
        const stale = simulateLife({
          ...life,
          months: life.months.slice(0, then),
          end: 'running',
        }).draft.statements.at(-1);
        const statements = draft.statements.map((statement) =>
          statement.id === stale?.id
            ? {
                ...stale,
                transactions: [],
                events: [],
                text_view: null,
                read_at: (stale.opened_at ?? 0) + 60_000,
              }
            : { ...statement, read_at: now },
        );
        const context = { now, webhookLog: { from, to: now }, habits: ALL_HABITS };
        expect(listMessages({ ...draft, statements }, context)).toEqual([]);
      }),
      { numRuns: runs / 4 },
    );
  });
});

function listMessages(
  record: SubscriptionRecord,
  context: Parameters<typeof checkSubscription>[1],
): string[] {
  return checkSubscription(record, context).map(({ rule, message }) => `${rule}: ${message}`);
}
