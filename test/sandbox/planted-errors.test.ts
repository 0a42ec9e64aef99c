import { describe, expect, test } from 'vitest';
import { type PlantedErrorKind, plantedErrorKinds } from '../../src/sandbox/index.ts';
import { auditSandbox } from './sandbox-audit.ts';
import { startTestSandbox } from './sandbox-client.ts';

/** Expected audit findings per kind of planted error, and the record that each finding names. */
const expectedFindings: Record<
  PlantedErrorKind,
  { findings: string[]; locatedBy: 'statement' | 'subscription' | 'nothing' }
> = {
  arithmetic: { findings: ['effect', 'arithmetic'], locatedBy: 'statement' },
  running_balance: { findings: ['running', 'effect'], locatedBy: 'statement' },
  continuity: { findings: ['continuity'], locatedBy: 'statement' },
  gap: { findings: ['gap'], locatedBy: 'statement' },
  overlap: { findings: ['overlap'], locatedBy: 'statement' },
  missing_statement: { findings: ['gap'], locatedBy: 'nothing' },
  duplicate_payment: { findings: ['duplicate payment'], locatedBy: 'statement' },
  failed_counts: { findings: ['failed counts', 'arithmetic'], locatedBy: 'statement' },
  settled_unpaid: { findings: ['settled'], locatedBy: 'statement' },
  allocation_chain: { findings: ['chain'], locatedBy: 'subscription' },
  missing_proration: { findings: ['no charge'], locatedBy: 'subscription' },
  lost_webhook: { findings: ['no webhook'], locatedBy: 'statement' },
  unsent_webhook: { findings: ['unsent'], locatedBy: 'statement' },
  duplicate_webhook: { findings: ['two webhooks'], locatedBy: 'statement' },
};

describe('planted errors', () => {
  test.each(plantedErrorKinds)(
    '%s is found where it was planted, and no other error is found',
    async (kind) => {
      const { sandbox } = await startTestSandbox({ subscriptions: 80, faults: { plant: { [kind]: 2 } } });
      const planted = sandbox.truth.planted();
      expect(planted.map((one) => one.kind)).toEqual([kind, kind]);
      const { findings, locatedBy } = expectedFindings[kind];
      const seen = new Set(auditSandbox(sandbox));
      expect(new Set([...seen].map((text) => text.replace(/ \d+$/, '')))).toEqual(new Set(findings));
      for (const { statement_id, subscription_id } of planted) {
        if (locatedBy === 'nothing') continue;
        const id = locatedBy === 'statement' ? statement_id : subscription_id;
        for (const finding of findings) expect(seen).toContain(`${finding} ${id}`);
      }
    },
  );

  test('of all kinds at once are all found, and are the same for the same seed', async () => {
    const plant = Object.fromEntries(plantedErrorKinds.map((kind) => [kind, 1]));
    const [one, two] = await Promise.all(
      [1, 2].map(() => startTestSandbox({ subscriptions: 150, faults: { plant } })),
    );
    expect(
      one?.sandbox.truth
        .planted()
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual([...plantedErrorKinds].sort());
    expect(one?.sandbox.truth.planted()).toEqual(two?.sandbox.truth.planted());
    const seen = one ? auditSandbox(one.sandbox) : [];
    for (const { findings } of Object.values(expectedFindings)) {
      for (const finding of findings) expect(seen.some((text) => text.startsWith(finding))).toBe(true);
    }
  });

  test('can hide a statement from every list', async () => {
    const { get, sandbox } = await startTestSandbox({
      subscriptions: 100,
      faults: 'plant.missing_statement=1',
    });
    const [planted] = sandbox.truth.planted();
    const { statement_id, subscription_id } = planted ?? {};
    expect((await get(`/statements/${statement_id}.json`)).status).toBe(404);
    for (const path of ['/statements/ids.json', `/subscriptions/${subscription_id}/statements/ids.json`]) {
      expect(((await get(path)).json() as { statement_ids: number[] }).statement_ids).not.toContain(
        statement_id,
      );
    }
    expect((await get(`/subscriptions/${subscription_id}/statements.json`)).text).not.toContain(
      `"statement":{"id":${statement_id},`,
    );
  });

  test('stay in place as time advances', async () => {
    const { sandbox } = await startTestSandbox({
      subscriptions: 200,
      faults: { plant: { arithmetic: 1, duplicate_payment: 1, settled_unpaid: 1 } },
    });
    const before = new Set(auditSandbox(sandbox));
    sandbox.advance({ months: 2 });
    expect(new Set(auditSandbox(sandbox))).toEqual(before);
  });

  test('are rejected if the site is too small', async () => {
    await expect(startTestSandbox({ subscriptions: 2, faults: 'plant.gap=5' })).rejects.toThrow(
      /the site is too small to plant \d gap: request more subscriptions/,
    );
  });
});
