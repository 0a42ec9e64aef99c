import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import {
  checkSubscription,
  type Finding,
  learnSiteHabits,
  type WebhookRecord,
} from '../../src/domain/checks/index.ts';
import {
  plantedErrorKinds,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from '../../src/sandbox/index.ts';
import { toRecords } from './checks/service-rows.ts';
import { ruleByPlantedError } from './rule-by-planted-error.ts';

/** Number of simulated histories without errors. Long runs set a higher number. */
const SEEDS = Number(process.env['TIEOUT_SEEDS'] ?? 8);
/** Number of subscriptions, with about five statements each, among which errors are planted. Long runs use 1950. */
const SUBSCRIPTIONS = Number(process.env['TIEOUT_SUBSCRIPTIONS'] ?? 40);

const openSandboxes: Sandbox[] = [];
afterAll(() => Promise.all(openSandboxes.map((sandbox) => sandbox.close())));

async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  openSandboxes.push(sandbox);
  return sandbox;
}

/** Returns all findings for the sandbox’s data and the number of webhooks that were not accepted. */
function check(sandbox: Sandbox): { findings: Finding[]; notAccepted: number } {
  const { truth, sharedKey } = sandbox;
  const records = toRecords({
    statements: truth.statements(),
    webhooks: truth.webhooks(),
    allocations: [...truth.components()].map((pair) => ({ ...pair, newestFirst: truth.allocations(pair) })),
  });
  const now = Date.parse(sandbox.describe().now);
  const webhooks = records.flatMap((record) => record.webhooks);
  const from = webhooks.reduce((oldest, { created_at }) => Math.min(oldest, created_at ?? now), now);
  const webhookLog = { from, to: now };
  const verify = ({ signature, body }: WebhookRecord): boolean =>
    signature === createHash('md5').update(`${sharedKey}${body}`).digest('hex');
  const context = {
    now,
    webhookLog,
    habits: learnSiteHabits(records, { now, webhookLog }),
    verifySignature: verify,
  };
  const findings = records.flatMap((record) => checkSubscription(record, context));
  return { findings, notAccepted: webhooks.filter(({ successful }) => !successful).length };
}

const formatFinding = ({ rule, message }: Finding): string => `${rule}: ${message}`;

describe('checking the sandbox’s clean data', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    test(`gives no finding: seed ${seed}`, async () => {
      const sandbox = await createSandbox({ seed, subscriptions: 20, outage: false });
      expect(check(sandbox).findings.map(formatFinding)).toEqual([]);
    });
  }

  test('gives only the undelivered webhooks of its outage', async () => {
    for (const seed of [1, 2]) {
      const { findings, notAccepted } = check(await createSandbox({ seed, subscriptions: 20 }));
      expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(['webhook-not-accepted']));
      expect(findings).toHaveLength(notAccepted);
    }
  });

  test('gives no findings with a shorter log or when time advances', async () => {
    const sandbox = await createSandbox({ seed: 5, subscriptions: 30, webhooks: 250, outage: false });
    expect(check(sandbox).findings.map(formatFinding)).toEqual([]);
    sandbox.advance({ months: 2 });
    await sandbox.idle();
    expect(check(sandbox).findings.map(formatFinding)).toEqual([]);
  });
});

describe('errors planted by the sandbox', () => {
  for (const [place, kind] of plantedErrorKinds.entries()) {
    test(`${kind} alone: ${ruleByPlantedError[kind]}, and nothing else`, {
      timeout: 120_000 + SUBSCRIPTIONS * 60,
    }, async () => {
      const faults = `plant.${kind}=2`;
      const sandbox = await createSandbox({
        seed: place + 1,
        subscriptions: SUBSCRIPTIONS,
        outage: false,
        faults,
      });
      expect(expected(sandbox)).toHaveLength(2);
      expect(summary(check(sandbox).findings)).toEqual(expected(sandbox));
    });
  }

  test('are all found in otherwise clean data', async () => {
    const faults = plantedErrorKinds.map((kind) => `plant.${kind}=2`).join(',');
    const sandbox = await createSandbox({ seed: 11, subscriptions: 160, outage: false, faults });
    expect(summary(check(sandbox).findings)).toEqual(expected(sandbox));
  });
});

const summary = (findings: readonly Finding[]): string[] =>
  findings.map(({ rule, subject }) => `${subject.subscription_id} ${rule}`).sort();

const expected = (sandbox: Sandbox): string[] =>
  sandbox.truth
    .planted()
    .map(({ kind, subscription_id }) => `${subscription_id} ${ruleByPlantedError[kind]}`)
    .sort();
