import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ContractOutputs } from '../../../src/contract/contract.ts';
import {
  cleanUpAfterFile,
  connectSandbox,
  runJson,
  type SandboxLine,
  startCommand,
  startSandboxCommand,
  temporaryFolder,
  waitForExit,
  waitForOutput,
} from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let service: SandboxLine;
beforeAll(async () => {
  service = await startSandboxCommand(['--subscriptions', '40', '--months', '4'], afterwards);
});

/** Delays each response by this many milliseconds, so that a command can be interrupted midway. */
async function setLatency(ms: number): Promise<void> {
  const response = await fetch(`${service.control_url}/faults`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${service.api_key}:x`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ latency: [ms, ms] }),
  });
  expect(response.status).toBe(200);
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s stops a sync before the next response, and the next sync resumes it',
  async (signal) => {
    const at = { home: temporaryFolder(), key: service.api_key, keychain: false };
    await connectSandbox(at, service);
    // Responses are slow enough that most work remains after the second progress line.
    await setLatency(500);
    const child = startCommand(['sync', '--json'], at);
    await waitForOutput(child.stderr!, /webhooks [1-9]/);
    const end = waitForExit(child);
    // From here on, each response would take a minute.
    await setLatency(60_000);
    const interruptedAt = performance.now();
    child.kill(signal);
    const { code, stdout, stderr } = await end;
    expect(performance.now() - interruptedAt).toBeLessThan(20_000);
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /tieout: Stopped\. Downloaded records are stored\. Run the same command to resume\.\n$/,
    );
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'canceled' } });

    await setLatency(0);
    const { rows } = await runJson<{ rows: ContractOutputs['jobs']['get'][] }>(['jobs', 'list'], at);
    expect(rows[0]).toMatchObject({
      kind: 'sync',
      state: expect.stringMatching(/canceled|interrupted/) as string,
    });
    expect(await runJson(['sync'], at)).toMatchObject({ complete: true });
    const { sites } = await runJson<{ sites: ContractOutputs['sync']['status'][] }>(['status'], at);
    expect(sites[0]?.parts.find(({ part }) => part === 'webhooks')).toMatchObject({
      stored: service.counts.webhooks,
    });
  },
);

test('sync --watch syncs until Ctrl-C', async () => {
  const at = { home: temporaryFolder(), key: service.api_key, keychain: false };
  await connectSandbox(at, service);
  const child = startCommand(['sync', '--watch', '--ndjson', '--only', 'webhooks'], at);
  const [written] = await Promise.all([
    waitForOutput(child.stdout!, /\n/),
    waitForOutput(child.stderr!, /Next sync in 15 min\. Press Ctrl-C to stop\./),
  ]);
  child.kill('SIGINT');
  expect(await waitForExit(child)).toMatchObject({ code: 130, stdout: '' });
  expect(JSON.parse(written)).toMatchObject({ complete: true });
});

describe('a replay in the terminal', () => {
  type Plan = ContractOutputs['replay']['plan'];
  type Job = ContractOutputs['replay']['get'];

  /** Creates a site and a replay plan of six undelivered webhooks. */
  async function createPlan() {
    const at = { home: temporaryFolder(), key: service.api_key, keychain: false };
    await connectSandbox(at, service);
    await runJson(['sync', '--only', 'webhooks'], at);
    const failed = ['webhooks', 'list', '--status', 'failed', '--order', 'oldest_first', '--limit', '6'];
    const { rows } = await runJson<{ rows: { id: number }[] }>(failed, at);
    const file = join(at.home, 'ids');
    writeFileSync(file, rows.map(({ id }) => id).join('\n'));
    return { at, plan: await runJson<Plan>(['replay', 'plan', '--ids-file', file], at) };
  }

  test('is paused by Ctrl-C and can be resumed', async () => {
    const { at, plan } = await createPlan();
    await setLatency(1500);
    const child = startCommand(['replay', 'run', plan.plan], at);
    await waitForOutput(child.stderr!, /replay \d\/6/);
    child.kill('SIGINT');
    const { code, stderr } = await waitForExit(child);
    await setLatency(0);
    expect(code).toBe(130);
    const [, job = ''] =
      /Paused\. Outcomes so far are stored\. Resume with: tieout replay resume (\S+)\n$/.exec(stderr) ?? [];
    expect(await runJson<Job>(['replay', 'status', job], at)).toMatchObject({ state: 'paused' });
    expect(await runJson<Job>(['replay', 'resume', job], at)).toMatchObject({
      state: 'done',
      counts: { accepted: 6 },
    });
  });

  test('ends if another process cancels it', async () => {
    const { at, plan } = await createPlan();
    await setLatency(2000);
    const child = startCommand(['replay', 'run', plan.plan, '--json'], at);
    await waitForOutput(child.stderr!, /replay \d\/6/);
    const end = waitForExit(child);
    // The cancel command runs in a separate process that takes time to start.
    await setLatency(60_000);
    const { rows } = await runJson<{ rows: Job[] }>(['replay', 'status'], at);
    await runJson<Job>(['replay', 'cancel', rows[0]!.job], at);
    await setLatency(0);
    const { code, stdout } = await end;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ job: rows[0]!.job, state: 'canceled' });
  });
});
