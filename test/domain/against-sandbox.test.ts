import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import {
  checkSubscription,
  type Finding,
  habitsOf,
  type WebhookRecord,
} from '../../src/domain/tieout/index.ts';
import { plantKinds, type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { ruleOf } from './rule-of.ts';
import { recordsOf } from './tieout/service-rows.ts';

/** Histories looked at without an error in them: more in a long run. */
const SEEDS = Number(process.env['TIEOUT_SEEDS'] ?? 8);
/** Subscriptions among which an error is planted, each with some five statements: 1950 in a long run. */
const AMONG = Number(process.env['TIEOUT_SUBSCRIPTIONS'] ?? 40);

const open: Sandbox[] = [];
afterAll(() => Promise.all(open.map((sandbox) => sandbox.close())));

async function sandboxWith(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  open.push(sandbox);
  return sandbox;
}

/** Everything the checks say of the sandbox’s data, and how many webhooks it says were not accepted. */
function check(sandbox: Sandbox): { findings: Finding[]; notAccepted: number } {
  const { truth, sharedKey } = sandbox;
  const records = recordsOf({
    statements: truth.statements(),
    webhooks: truth.webhooks(),
    allocations: [...truth.pairs()].map((pair) => ({ ...pair, newestFirst: truth.allocations(pair) })),
  });
  const now = Date.parse(sandbox.describe().now);
  const webhooks = records.flatMap((record) => record.webhooks);
  const from = webhooks.reduce((oldest, { created_at }) => Math.min(oldest, created_at ?? now), now);
  const log = { from, to: now };
  const verify = ({ signature, body }: WebhookRecord): boolean =>
    signature === createHash('md5').update(`${sharedKey}${body}`).digest('hex');
  const context = { now, log, habits: habitsOf(records, { now, log }), verify };
  const findings = records.flatMap((record) => checkSubscription(record, context));
  return { findings, notAccepted: webhooks.filter(({ successful }) => !successful).length };
}

const told = ({ rule, message }: Finding): string => `${rule}: ${message}`;

describe('the sandbox’s clean data', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    test(`gives no finding: seed ${seed}`, async () => {
      const sandbox = await sandboxWith({ seed, subscriptions: 20, outage: false });
      expect(check(sandbox).findings.map(told)).toEqual([]);
    });
  }

  test('gives the undelivered webhooks of its outage, and nothing else', async () => {
    for (const seed of [1, 2]) {
      const { findings, notAccepted } = check(await sandboxWith({ seed, subscriptions: 20 }));
      expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(['webhook-not-accepted']));
      expect(findings).toHaveLength(notAccepted);
    }
  });

  test('stays clean when its log is shorter than its history, and when time moves on', async () => {
    const sandbox = await sandboxWith({ seed: 5, subscriptions: 30, webhooks: 250, outage: false });
    expect(check(sandbox).findings.map(told)).toEqual([]);
    sandbox.advance({ months: 2 });
    await sandbox.idle();
    expect(check(sandbox).findings.map(told)).toEqual([]);
  });
});

describe('errors the sandbox plants', () => {
  for (const [place, kind] of plantKinds.entries()) {
    test(`${kind} alone: ${ruleOf[kind]}, and nothing else`, { timeout: 120_000 + AMONG * 60 }, async () => {
      const faults = `plant.${kind}=2`;
      const sandbox = await sandboxWith({ seed: place + 1, subscriptions: AMONG, outage: false, faults });
      expect(expected(sandbox)).toHaveLength(2);
      expect(summary(check(sandbox).findings)).toEqual(expected(sandbox));
    });
  }

  test('all of them mixed among clean data', async () => {
    const faults = plantKinds.map((kind) => `plant.${kind}=2`).join(',');
    const sandbox = await sandboxWith({ seed: 11, subscriptions: 160, outage: false, faults });
    expect(summary(check(sandbox).findings)).toEqual(expected(sandbox));
  });
});

const summary = (findings: readonly Finding[]): string[] =>
  findings.map(({ rule, subject }) => `${subject.subscription_id} ${rule}`).sort();

const expected = (sandbox: Sandbox): string[] =>
  sandbox.truth
    .planted()
    .map(({ kind, subscription_id }) => `${subscription_id} ${ruleOf[kind]}`)
    .sort();
