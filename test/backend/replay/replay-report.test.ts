import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import {
  type BackendClient,
  type ContractOutputs,
  createBackendClient,
} from '../../../src/contract/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

/** Opens a site after an outage, with both parts of the backend as in a shell. */
async function openSiteAfterOutage(): Promise<{ bench: WriterTestSite; client: BackendClient }> {
  const bench = await openWriterTestSite({ subscriptions: 60, months: 2, settings: { retryAfter: [] } });
  onTestFinished(() => bench.close());
  await bench.sync({ only: ['webhooks'] });
  const reader = openBackendReader({
    home: bench.home,
    version: '0',
    shell: createMemoryShell(),
    log: () => {},
  });
  onTestFinished(() => reader.close());
  return { bench, client: createBackendClient({ reader: reader.link, writer: bench.writer.link }) };
}

test('all queries from an outage to the report agree with what happened', async () => {
  const { bench, client } = await openSiteAfterOutage();
  const { outages } = await client.webhooks.outages({ site: SITE });
  const [outage] = outages;
  const lost = (outage?.failed ?? 0) + (outage?.pending ?? 0);
  const line = await client.webhooks.timeline({ site: SITE, filter: outage?.filter ?? {}, buckets: 10 });
  expect(line.buckets.reduce((sum, { failed, pending }) => sum + failed + pending, 0)).toBe(lost);

  const selection = { filter: outage?.filter ?? {} };
  const plan = await client.replay.plan({ site: SITE, selection, reason: 'the outage of October' });
  expect(plan).toMatchObject({ count: lost, job: null, retrying: 0 });
  expect(plan.description).toContain('UTC');
  expect(plan.expected?.fast.requests).toBeLessThanOrEqual(plan.expected?.safe.requests ?? 0);
  const { rows: items } = await client.replay.planItems({ site: SITE, plan: plan.plan });
  expect(items.length).toBe(lost);
  expect(items.map(({ created_at }) => created_at)).toEqual(
    items.map(({ created_at }) => created_at).toSorted(),
  );

  bench.sandbox.setEndpoint({ failRate: 0.15, status: 500 });
  const run = { site: SITE, plan: plan.plan, mode: 'safe', rate: 500, ordered: true, reason: 'go' } as const;
  const begun = await client.replay.run(run);
  expect(begun).toMatchObject({ mode: 'safe', rate: 500, ordered: true, batch_size: 100, paused_by: null });
  const lives = new Set<string>();
  for await (const _ of await client.jobs.watch({ site: SITE, job: begun.job })) {
    const { live, in_flight, counts } = await client.replay.get({ site: SITE, job: begun.job });
    expect(in_flight).toBe(counts.queued + counts.sending);
    if (live !== null) lives.add(live.breaker.state);
  }
  const done = await client.replay.get({ site: SITE, job: begun.job });
  expect(done.live).toBeNull();
  expect(lives).toContain('closed');
  const kept = (await client.replay.plans({ site: SITE })).find((each) => each.plan === plan.plan);
  expect(kept?.job).toBe(begun.job);

  const errors = await client.replay.errors({ site: SITE, job: begun.job });
  const bad = done.counts.failed + done.counts.unresolved;
  expect(errors.reduce((sum, { count }) => sum + count, 0)).toBe(bad);

  const csv = await client.replay.report({ site: SITE, job: begun.job, format: 'csv' });
  expect(csv).toMatchObject({ name: `replay-${begun.job}.csv`, type: 'text/csv' });
  const [head, ...lines] = readFileSync(csv.blob, 'utf8').trimEnd().split('\r\n');
  expect(head).toBe('id,event,outcome,sent_at,resolved_at,last_error');
  expect(lines.length).toBe(lost);
  expect(lines.filter((each) => each.includes(',accepted,')).length).toBe(done.counts.accepted);
  const json = await client.replay.report({ site: SITE, job: begun.job, format: 'json' });
  type Report = {
    replay: typeof done;
    plan: typeof plan;
    webhooks: ContractOutputs['replay']['items']['rows'];
  };
  const report = JSON.parse(readFileSync(json.blob, 'utf8')) as Report;
  expect(report.replay).toEqual(done);
  expect(report.plan.ids_sha256).toBe(plan.ids_sha256);
  expect(report.webhooks.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
  const { rows: audit } = await client.audit.list({ site: SITE, filter: { action: 'replay' } });
  expect(audit.map(({ action, reason }) => [action, reason])).toEqual([
    ['replay.end', done.reason],
    ['replay.run', 'go'],
    ['replay.plan', 'the outage of October'],
  ]);
});

test('an unknown replay has no report', async () => {
  const { client } = await openSiteAfterOutage();
  const report = client.replay.report({ site: SITE, job: 'none', format: 'csv' });
  await expect(report).rejects.toMatchObject({ code: 'not_found' });
});
