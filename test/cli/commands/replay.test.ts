import { expect, onTestFinished, test } from 'vitest';
import { listAuditEntries } from '../../../src/backend/store/audit-log/audit-entry-list.ts';
import { listReplays } from '../../../src/backend/store/replay/replay-list.ts';
import type { ContractOutputs } from '../../../src/contract/contract.ts';
import { openWriterTestSite, SITE } from '../../backend/writer-test-site.ts';
import { run, runFailing, runJson, startCommand, waitForExit, waitForOutput } from '../run-tieout.ts';

type Plan = ContractOutputs['replay']['plan'];
type Job = ContractOutputs['replay']['get'];

/** Creates a site with undelivered webhooks and a replay plan for them in the test’s process. */
async function createPlan() {
  const bench = await openWriterTestSite({ subscriptions: 30, months: 2, settings: { timeScale: 0.001 } });
  onTestFinished(() => bench.close());
  await bench.sync({ only: ['webhooks'] });
  const selection = { filter: { status: 'failed' } } as const;
  const plan = await bench.client.replay.plan({ site: SITE, selection });
  const at = { home: bench.home, key: bench.sandbox.apiKey, keychain: false };
  const replays = () => listReplays(bench.books(), SITE);
  return { bench, service: bench.sandbox, at, plan, replays };
}

test('an outage is listed, and a plan can select it by its ID', async () => {
  const { at } = await createPlan();
  const { rows } = await runJson<{ rows: ContractOutputs['webhooks']['outages']['outages'] }>(
    ['webhooks', 'outages'],
    at,
  );
  const [newest] = rows;
  expect(newest).toMatchObject({ kind: 'failures', error: expect.stringContaining('503') });
  const plan = await runJson<Plan>(['replay', 'plan', '--outage', newest?.id ?? ''], at);
  expect(plan.count).toBe((newest?.failed ?? 0) + (newest?.pending ?? 0));
});

test('an unattended replay stops if the endpoint or the service is down, and rejects a plan that has already run', async () => {
  const { bench, service, at, plan, replays } = await createPlan();
  service.setEndpoint({ down: true });
  const reason = ['--reason', 'nightly'];
  const stopped = await runJson<Job>(['replay', 'run', plan.plan, ...reason], at, 1);
  expect(stopped).toMatchObject({ state: 'stopped', counts: { failed: 1, waiting: plan.count - 1 } });
  expect(service.requests.byKind.replay).toBe(1);

  // The same command resumes the interrupted sync.
  await service.idle();
  service.setEndpoint({});
  const done = await runJson<Job>(['replay', 'run', plan.plan, '--mode', 'fast'], at, 1);
  expect(done).toMatchObject({
    job: stopped.job,
    state: 'done',
    counts: { accepted: plan.count - 1, failed: 1 },
  });
  const again = await runFailing(['replay', 'run', plan.plan], at, 2);
  expect(again).toMatchObject({ code: 'conflict', message: expect.stringContaining('has already been run') });
  const retryPlan = await bench.client.replay.retryFailures({ site: SITE, job: stopped.job });
  expect(retryPlan.count).toBe(1);
  const { rows } = listAuditEntries(bench.books(), { filter: { subject: stopped.job }, limit: 10 });
  expect(rows).toMatchObject([
    { action: 'replay.end', reason: null },
    { action: 'replay.resume' },
    { action: 'replay.end', reason: expect.stringContaining('was not accepted') },
    { action: 'replay.run', reason: 'nightly' },
  ]);

  await service.close();
  const unreachable = await runFailing(['replay', 'run', retryPlan.plan], at, 4);
  expect(unreachable.message).toContain('The replay was not started');
  expect(replays().length).toBe(1);
});

test('an unattended replay exits with 3 if the key is rejected and with 130 if it is paused, and can be resumed', async () => {
  const { service, at, plan, replays } = await createPlan();
  service.setFaults({ expire_key_after: 5 });
  const refused = await runFailing(['replay', 'run', plan.plan], at, 3);
  expect(refused.hint).toMatch(/tieout replay resume/);
  const [job] = replays();
  expect(job).toMatchObject({ state: 'paused', paused_by: 'key' });

  // The pause command runs in a separate process that takes time to start.
  service.setFaults({ latency: [3000, 3000] });
  const child = startCommand(['replay', 'resume', job?.job ?? ''], at);
  await waitForOutput(child.stderr!, /replay \d+\/\d+/);
  const end = waitForExit(child);
  expect(await runJson<Job>(['replay', 'pause', job?.job ?? '', '--reason', 'lunch'], at)).toMatchObject({
    job: job?.job,
  });
  const { code, stderr } = await end;
  expect([code, stderr]).toEqual([130, expect.stringContaining(`tieout replay resume ${job?.job}`)]);
  expect(replays()).toMatchObject([{ state: 'paused', paused_by: 'user' }]);

  service.setFaults({});
  const { stdout, code: resumedCode } = await run(['replay', 'resume', job?.job ?? ''], at);
  expect([resumedCode, stdout]).toEqual([0, expect.stringContaining('accepted')]);
  expect([...service.accepted.values()].filter((times) => times > 1)).toEqual([]);
});
