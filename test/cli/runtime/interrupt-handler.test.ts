import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Outputs } from '../../../src/contract/contract.ts';
import {
  afterTheFile,
  connect,
  ended,
  json,
  type SandboxLine,
  sandbox,
  start,
  temporaryFolder,
  until,
} from '../run-tieout.ts';

const afterwards = afterTheFile();
let service: SandboxLine;
beforeAll(async () => {
  service = await sandbox(['--subscriptions', '40', '--months', '4'], afterwards);
});

/** Has each answer take so many ms: enough of them that what is to be interrupted is under way. */
async function latency(ms: number): Promise<void> {
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
  '%s stops a sync without another answer, and the next one goes on',
  async (signal) => {
    const at = { home: temporaryFolder(), key: service.api_key, keychain: false };
    await connect(at, service);
    // So slow that most of it is still to come when progress is told for the second time, some seconds from its beginning.
    await latency(500);
    const child = start(['sync', '--json'], at);
    await until(child.stderr!, /webhooks [1-9]/);
    const end = ended(child);
    // From here on no answer comes: whoever waited for one would wait for a minute.
    await latency(60_000);
    const asked = performance.now();
    child.kill(signal);
    const { code, stdout, stderr } = await end;
    expect(performance.now() - asked).toBeLessThan(20_000);
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /tieout: Stopped\. Downloaded records are stored\. Run the same command to resume\.\n$/,
    );
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'canceled' } });

    await latency(0);
    const { rows } = await json<{ rows: Outputs['jobs']['get'][] }>(['jobs', 'list'], at);
    expect(rows[0]).toMatchObject({
      kind: 'sync',
      state: expect.stringMatching(/canceled|interrupted/) as string,
    });
    expect(await json(['sync'], at)).toMatchObject({ complete: true });
    const { sites } = await json<{ sites: Outputs['sync']['status'][] }>(['status'], at);
    expect(sites[0]?.parts.find(({ part }) => part === 'webhooks')).toMatchObject({
      stored: service.counts.webhooks,
    });
  },
);

test('sync --watch goes on until Ctrl-C', async () => {
  const at = { home: temporaryFolder(), key: service.api_key, keychain: false };
  await connect(at, service);
  const child = start(['sync', '--watch', '--ndjson', '--only', 'webhooks'], at);
  const [written] = await Promise.all([
    until(child.stdout!, /\n/),
    until(child.stderr!, /Next sync in 15 min\. Press Ctrl-C to stop\./),
  ]);
  child.kill('SIGINT');
  expect(await ended(child)).toMatchObject({ code: 130, stdout: '' });
  expect(JSON.parse(written)).toMatchObject({ complete: true });
});

describe('a replay', () => {
  type Plan = Outputs['replay']['plan'];
  type Job = Outputs['replay']['get'];

  /** A site with a plan of six webhooks that were not delivered. */
  async function planned() {
    const at = { home: temporaryFolder(), key: service.api_key, keychain: false };
    await connect(at, service);
    await json(['sync', '--only', 'webhooks'], at);
    const failed = ['webhooks', 'list', '--status', 'failed', '--order', 'oldest_first', '--limit', '6'];
    const { rows } = await json<{ rows: { id: number }[] }>(failed, at);
    const file = join(at.home, 'ids');
    writeFileSync(file, rows.map(({ id }) => id).join('\n'));
    return { at, plan: await json<Plan>(['replay', 'plan', '--ids-file', file], at) };
  }

  test('is paused by Ctrl-C, and resumed to its end', async () => {
    const { at, plan } = await planned();
    await latency(1500);
    const child = start(['replay', 'run', plan.plan], at);
    await until(child.stderr!, /replay \d\/6/);
    child.kill('SIGINT');
    const { code, stderr } = await ended(child);
    await latency(0);
    expect(code).toBe(130);
    const [, job = ''] =
      /Paused\. Outcomes so far are stored\. Resume with: tieout replay resume (\S+)\n$/.exec(stderr) ?? [];
    expect(await json<Job>(['replay', 'status', job], at)).toMatchObject({ state: 'paused' });
    expect(await json<Job>(['replay', 'resume', job], at)).toMatchObject({
      state: 'done',
      counts: { accepted: 6 },
    });
  });

  test('is ended by a cancel from elsewhere', async () => {
    const { at, plan } = await planned();
    await latency(2000);
    const child = start(['replay', 'run', plan.plan, '--json'], at);
    await until(child.stderr!, /replay \d\/6/);
    const end = ended(child);
    // The cancel is a command of its own, which takes its time to start.
    await latency(60_000);
    const { rows } = await json<{ rows: Job[] }>(['replay', 'status'], at);
    await json<Job>(['replay', 'cancel', rows[0]!.job], at);
    await latency(0);
    const { code, stdout } = await end;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ job: rows[0]!.job, state: 'canceled' });
  });
});
