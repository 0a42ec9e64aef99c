import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { updateIncidents } from '../../../src/backend/incidents/update-incidents.ts';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import type { Backend } from '../../../src/backend/shared/backend-start-options.ts';
import { listAuditEntries } from '../../../src/backend/store/audit-log/audit-entry-list.ts';
import { openStore } from '../../../src/backend/store/database/open-store.ts';
import { findIncident, listIncidents } from '../../../src/backend/store/incidents/incident.ts';
import {
  type BackendClient,
  type ContractInputs,
  createBackendClient,
  type Incident,
} from '../../../src/contract/index.ts';
import type { SandboxOptions } from '../../../src/sandbox/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { startTestEndpoint } from '../replay/endpoint-of-temper.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

/** Incidents of the real writer, with a sandbox whose endpoint was down for a time. */

let bench: WriterTestSite;
let reader: Backend;
let client: BackendClient;
afterEach(async () => {
  await reader.close();
  await bench.close();
});

async function openSite(options: SandboxOptions): Promise<void> {
  bench = await openWriterTestSite(options);
  const { home, keys } = bench;
  reader = openBackendReader({
    home,
    version: '0.0.0',
    shell: createMemoryShell(keys),
    log: () => undefined,
  });
  client = createBackendClient({ reader: reader.link, writer: bench.writer.link });
  await bench.sync({ only: ['webhooks'] });
}

const onSite = { site: SITE };
const list = (input: Omit<ContractInputs['incidents']['list'], 'site'> = {}) =>
  client.incidents.list({ ...onSite, ...input });
const get = (id: number) => client.incidents.get({ ...onSite, id });

async function openSiteWithOutage(): Promise<Incident> {
  await openSite({ subscriptions: 40, months: 2 });
  const [incident] = await list();
  if (incident === undefined) throw new Error('No incident was found.');
  return incident;
}

/** Returns the webhooks that the endpoint rejected during the incident, from the sandbox and oldest first. */
const listFailedIds = ({ from, to }: Incident) =>
  [...bench.sandbox.truth.webhooks()]
    .filter(({ successful, created_at }) => {
      const at = Date.parse(created_at as string);
      return successful === false && at >= Date.parse(from) && at <= Date.parse(to);
    })
    .map(({ id }) => id as number);

const openStores = () => ({
  cache: openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache'),
  books: openStore(join(bench.home, 'sites', SITE, 'books.db'), 'books'),
});

async function replay(ids: number[]): Promise<string> {
  const { plan } = await client.replay.plan({ ...onSite, selection: { ids } });
  const { job } = await client.replay.run({ ...onSite, plan });
  await bench.waitForJob(job);
  return job;
}

test('a sync finds the outage as one incident, which stays the same while its webhooks are replayed', async () => {
  const found = await openSiteWithOutage();
  const failed = listFailedIds(found);
  expect(found).toMatchObject({
    kind: 'failures',
    state: 'open',
    found_by: null,
    webhooks: failed.length,
    accepted: 0,
  });
  expect(found.error).toContain('503');
  await bench.sync({ only: ['webhooks'] });
  // The first webhooks are accepted, so the outage starts later and has another id.
  const first = await replay(failed.slice(0, 9));
  await bench.sync({ only: ['webhooks'] });
  expect(await list()).toMatchObject([{ id: found.id, state: 'open', webhooks: failed.length, accepted: 9 }]);
  const second = await replay(failed.slice(9));
  expect(await list()).toMatchObject([
    { id: found.id, state: 'resolved', resolved_by: 'proof', accepted: failed.length },
  ]);
  const detail = await get(found.id);
  expect(detail.replays).toMatchObject([
    { job: first, webhooks: 9, accepted: 9 },
    { job: second, webhooks: failed.length - 9, accepted: failed.length - 9 },
  ]);
  expect(detail.not_accepted).toEqual([]);
  const times = detail.timeline.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  expect(detail.timeline.at(-1)?.text).toMatch(/Resolved|ended/);
});

test('is not resolved by a part of its webhooks or by an endpoint at another address', async () => {
  const found = await openSiteWithOutage();
  const failed = listFailedIds(found);
  bench.sandbox.setEndpoint({ refuses: failed.slice(4, 7) });
  await replay(failed);
  expect(await list()).toMatchObject([{ state: 'open', accepted: failed.length - 3 }]);
  expect((await get(found.id)).not_accepted.toSorted((a, b) => a - b)).toEqual(
    failed.slice(4, 7).toSorted((a, b) => a - b),
  );
  await client.sites.setSharedKey({ ...onSite, shared_key: bench.sandbox.sharedKey });
  const endpoint = await startTestEndpoint();
  const { plan, count } = await client.replay.plan({
    ...onSite,
    selection: { ids: failed.slice(4, 7) },
    endpoint: endpoint.url,
  });
  const { job } = await client.replay.run({ ...onSite, plan, confirm: { host: endpoint.host, count } });
  await bench.waitForJob(job);
  expect(endpoint.received.length).toBe(3);
  expect(await list()).toMatchObject([{ state: 'open', accepted: failed.length - 3 }]);
});

test('is acknowledged, described, resolved with a reason and reopened, each with an audit entry', async () => {
  const { id } = await openSiteWithOutage();
  const { incidents } = client;
  await incidents.acknowledge({ ...onSite, id, owner: 'Dana', name: 'Certificate expired' });
  await incidents.update({ ...onSite, id, cause: 'The certificate expired.', note: 'Renewed it.' });
  await expect(incidents.acknowledge({ ...onSite, id })).rejects.toMatchObject({ code: 'conflict' });
  await expect(incidents.update({ ...onSite, id })).rejects.toMatchObject({ code: 'validation' });
  await incidents.resolve({ ...onSite, id, reason: 'Booked manually.' });
  await expect(incidents.resolve({ ...onSite, id, reason: 'Again.' })).rejects.toMatchObject({
    code: 'conflict',
  });
  // A person's decision stands: the same failures are not found again.
  await bench.sync({ only: ['webhooks'] });
  expect(await list()).toMatchObject([{ id, state: 'resolved', resolved_by: 'person', owner: 'Dana' }]);
  await incidents.reopen({ ...onSite, id, reason: 'Not booked after all.' });
  expect(await list({ state: ['open'] })).toMatchObject([{ id, name: 'Certificate expired' }]);
  const texts = (await get(id)).timeline.map(({ text }) => text);
  for (const text of ['Renewed it.', 'Resolved: Booked manually.', 'Reopened: Not booked after all.'])
    expect(texts).toContain(text);
  const actions = listAuditEntries(bench.books(), { filter: {}, limit: 50 }).rows.map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith('incidents.'))).toEqual([
    ...['incidents.reopen', 'incidents.resolve', 'incidents.update', 'incidents.acknowledge'],
  ]);
});

test('an error group and a selection become incidents of the webhooks that were not accepted', async () => {
  const found = await openSiteWithOutage();
  const [group] = await client.webhooks.errors(onSite);
  const added = await client.incidents.add({
    ...onSite,
    from: { filter: { error: group?.error ?? '' } },
    owner: 'Kim',
  });
  expect(added).toMatchObject({ kind: 'error_group', webhooks: group?.count, owner: 'Kim', state: 'open' });
  expect(added.found_by).not.toBeNull();
  const [accepted] = bench.sandbox.truth.webhooks();
  const ids = [accepted?.['id'] as number];
  await expect(client.incidents.add({ ...onSite, from: { ids } })).rejects.toMatchObject({
    code: 'validation',
  });
  const [failed] = listFailedIds(found);
  ids.push(failed as number);
  // The automatically found incident already tracks the outage.
  const { outages } = await client.webhooks.outages({ ...onSite, limit: 10 });
  const tracked = { from: { outage: outages[0]?.id ?? '' } };
  await expect(client.incidents.add({ ...onSite, ...tracked })).rejects.toMatchObject({ code: 'conflict' });
  const selected = await client.incidents.add({ ...onSite, from: { ids }, name: 'One customer' });
  expect(selected).toMatchObject({ kind: 'selection', name: 'One customer', webhooks: 1 });
  await expect(client.incidents.add({ ...onSite, from: { outage: 'none' } })).rejects.toMatchObject({
    code: 'not_found',
  });
  await replay([failed as number]);
  expect((await get(selected.id)).state).toBe('resolved');
  expect((await get(added.id)).state).toBe('open');
});

test('an incident resolved by proof reopens if its webhooks fail again', async () => {
  const found = await openSiteWithOutage();
  const failed = listFailedIds(found);
  await replay(failed);
  expect((await get(found.id)).state).toBe('resolved');
  await bench.writer.close();
  const site = openStores();
  const sql = `UPDATE webhook SET successful = 0, delivery = 1,
       class_id = (SELECT id FROM webhook_class WHERE delivery = 1 AND event = webhook.event)
     WHERE id IN (SELECT value FROM json_each(?))`;
  site.cache.prepare(sql).run(JSON.stringify(failed.slice(0, 5)));
  expect(updateIncidents(site, Date.now())).toBe(true);
  expect(listIncidents(site.books, ['open', 'resolved'])).toMatchObject([
    { id: found.id, state: 'open', resolved_by: null, accepted: failed.length - 5 },
  ]);
  site.cache.close();
  site.books.close();
});

test('a gap in the log is an incident, which ends when the log contains webhooks of that time', async () => {
  await openSite({ subscriptions: 400, months: 2, outage: false });
  const gapsBefore = (await list()).map(({ id }) => id);
  await bench.writer.close();
  const site = openStores();
  const { cache, books } = site;
  const middle = cache
    .prepare(
      'SELECT created_at FROM webhook ORDER BY created_at LIMIT 1 OFFSET (SELECT count(*) / 2 FROM webhook)',
    )
    .pluck()
    .get() as number;
  const from = middle - 60 * 3_600_000;
  const within = 'created_at BETWEEN ? AND ?';
  const range = [from, middle];
  const columns = (cache.pragma('table_info(webhook)') as { name: string }[]).map(({ name }) => name).join();
  cache.exec('CREATE TEMP TABLE taken AS SELECT * FROM webhook LIMIT 0');
  cache
    .prepare(`INSERT INTO taken (${columns}) SELECT ${columns} FROM webhook WHERE ${within}`)
    .run(...range);
  cache.prepare(`DELETE FROM webhook WHERE ${within}`).run(...range);
  const known = Date.now();
  updateIncidents(site, known);
  const [gap] = listIncidents(books, ['open']).filter(({ id }) => !gapsBefore.includes(id));
  expect(gap).toMatchObject({ kind: 'gap', webhooks: 0, state: 'open', url: null });
  expect(gap?.from_at).toBeLessThan(middle);
  updateIncidents(site, known + 1);
  expect(listIncidents(books, ['open']).filter(({ kind }) => kind === 'gap')).toHaveLength(
    gapsBefore.length + 1,
  );
  cache.exec(`INSERT INTO webhook (${columns}) SELECT ${columns} FROM taken`);
  updateIncidents(site, known + 2);
  expect(findIncident(books, gap?.id ?? 0)).toMatchObject({ state: 'resolved', resolved_by: 'proof' });
  cache.close();
  books.close();
});

test('the report contains the facts, and no markup of other people', async () => {
  const found = await openSiteWithOutage();
  const { id } = found;
  await client.incidents.update({
    ...onSite,
    id,
    name: 'Outage [x](https://evil.example) | <img src=a>',
    cause: 'See https://evil.example\n# Fake heading',
  });
  const { name, type } = await client.incidents.report({ ...onSite, id, format: 'md' });
  expect({ name, type }).toEqual({ name: `incident-${id}.md`, type: 'text/markdown' });
  const text = readFileSync(join(bench.home, 'sites', SITE, 'exports', name), 'utf8');
  expect(text).toContain('## Timeline');
  expect(text).toContain(`${listFailedIds(found).length} webhooks were not accepted.`);
  expect(text).not.toMatch(/(?<!\\)<img|(?<!\\)\]\(|https:\/\/evil/);
  expect(text.match(/^# .*/gm)).toHaveLength(1);
  const json = await client.incidents.report({ ...onSite, id, format: 'json' });
  const detail = JSON.parse(readFileSync(join(bench.home, 'sites', SITE, 'exports', json.name), 'utf8'));
  expect(detail).toEqual(await get(id));
});
