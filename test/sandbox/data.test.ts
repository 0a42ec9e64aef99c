import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { auditSandbox } from './sandbox-audit.ts';
import { type JsonObject, startTestSandbox } from './sandbox-client.ts';

const digest = (rows: Iterable<unknown>): string => {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(JSON.stringify(row));
  return hash.digest('hex');
};

describe('generated data', () => {
  test.each([1, 2, 7, 42, 1234567])(
    'of seed %i is consistent at the start and after three months',
    async (seed) => {
      const { sandbox } = await startTestSandbox({ seed });
      expect(auditSandbox(sandbox)).toEqual([]);
      sandbox.advance({ days: 9 });
      sandbox.advance({ months: 3 });
      expect(auditSandbox(sandbox)).toEqual([]);
    },
  );

  test('is byte-identical for the same seed and differs for another seed', async () => {
    const [one, same, other] = await Promise.all([1, 1, 2].map((seed) => startTestSandbox({ seed })));
    for (const rows of ['webhooks', 'statements', 'components'] as const) {
      const of = (client = one): string => digest(client?.sandbox.truth[rows]() ?? []);
      expect(of(same)).toBe(of(one));
      expect(of(other)).not.toBe(of(one));
    }
    const id = [...(one?.sandbox.truth.statements() ?? [])][3]?.['id'];
    const pdfs = await Promise.all([one, same].map((client) => client?.get(`/statements/${id}.pdf`)));
    expect(pdfs[0]?.bytes.equals(pdfs[1]?.bytes as Buffer)).toBe(true);
  });

  test('contains unpaid and late paid statements, declined payments, credits, taxes and international names', async () => {
    const { sandbox } = await startTestSandbox({ subscriptions: 200 });
    const statements = [...sandbox.truth.statements()];
    const transactions = statements.flatMap((statement) => statement['transactions'] as JsonObject[]);
    const some = (test: (row: JsonObject) => boolean, rows = transactions): number =>
      rows.filter(test).length;
    expect(some(({ type, success }) => type === 'Payment' && success === false)).toBeGreaterThan(20);
    expect(some(({ type }) => type === 'Credit')).toBeGreaterThan(5);
    expect(some(({ kind }) => kind === 'tax')).toBeGreaterThan(100);
    expect(some(({ kind }) => kind === 'coupon')).toBeGreaterThan(20);
    expect(some(({ kind }) => kind === 'component_proration')).toBeGreaterThan(20);
    expect(some(({ type }) => type === 'Refund')).toBeGreaterThan(0);
    expect(
      some(({ closed_at, settled_at }) => closed_at !== null && settled_at === null, statements),
    ).toBeGreaterThan(3);
    expect(
      some(({ future_payments }) => (future_payments as JsonObject[]).length > 0, statements),
    ).toBeGreaterThan(20);
    expect(some(({ closed_at }) => closed_at === null, statements)).toBeGreaterThan(150);
    expect(
      some(({ customer_last_name }) => /[^ -~]/.test(customer_last_name as string), statements),
    ).toBeGreaterThan(50);
    expect(
      new Set(
        transactions.filter(({ kind }) => kind === 'baseline').map(({ amount_in_cents }) => amount_in_cents),
      ).size,
    ).toBe(6);
  });

  test('has ids in order of creation, and one open statement per active subscription', async () => {
    const { sandbox } = await startTestSandbox();
    const webhooks = [...sandbox.truth.webhooks()];
    const ids = webhooks.map(({ id }) => id as number);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    const times = webhooks.map(({ created_at }) => Date.parse(created_at as string));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const open = [...sandbox.truth.statements()].filter(({ closed_at }) => closed_at === null);
    expect(new Set(open.map(({ subscription_id }) => subscription_id)).size).toBe(open.length);
    const transactions = [...sandbox.truth.statements()].flatMap(
      ({ transactions }) => transactions as JsonObject[],
    );
    expect(new Set(transactions.map(({ id }) => id)).size).toBe(transactions.length);
  });

  test('has about two dozen failed webhooks in an outage of the last month, even for a small site', async () => {
    for (const subscriptions of [60, 300]) {
      const { sandbox } = await startTestSandbox({ subscriptions });
      const failed = [...sandbox.truth.webhooks()].filter(({ successful }) => !successful);
      const outage = failed.filter(
        ({ last_error }) => last_error === '503 Service Unavailable (retry 5 of 5)',
      );
      expect(outage.length).toBeGreaterThanOrEqual(20);
      const times = outage.map(({ created_at }) => Date.parse(created_at as string));
      expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(24 * 3_600_000);
      expect(new Date(Math.min(...times)).toISOString().slice(0, 7)).toBe('2026-10');
    }
    const { sandbox } = await startTestSandbox({ outage: false });
    expect(sandbox.truth.counts().failed_webhooks).toBe(0);
  });

  test.each([
    [60, 400],
    [60, 800],
    [60, 935],
    [60, 20_000],
  ])(
    'of %i subscriptions has a log of exactly the %i webhooks asked for',
    async (subscriptions, webhooks) => {
      const { sandbox } = await startTestSandbox({ subscriptions, webhooks });
      expect(sandbox.truth.counts().webhooks).toBe(webhooks);
      expect(new Set([...sandbox.truth.webhooks()].map(({ id }) => id)).size).toBe(webhooks);
    },
  );

  test('rejects invalid sizes', async () => {
    await expect(startSandbox({ subscriptions: 0 })).rejects.toThrow(
      'subscriptions must be an integer of at least 1',
    );
    await expect(startSandbox({ months: 0.5 })).rejects.toThrow('months must be');
    await expect(startSandbox({ now: 'soon' })).rejects.toThrow('now must be an ISO time, not soon');
  });
});
