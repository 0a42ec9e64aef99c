import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { type ExceptionRow, toContractError } from '../../../src/contract/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';
import { SITE } from '../writer-test-site.ts';
import { type CheckBench, openCheckBench } from './check-bench.ts';

const benches: CheckBench[] = [];
const sandboxes: Sandbox[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
  for (const sandbox of sandboxes.splice(0)) await sandbox.close();
});

async function openSyncedBench(options: SandboxOptions): Promise<CheckBench> {
  const bench = await openCheckBench(options);
  benches.push(bench);
  expect(await bench.sync()).toMatchObject({ state: 'done' });
  return bench;
}

/** Starts the same site with other errors, or with none. */
async function startSandboxServer(options: SandboxOptions): Promise<string> {
  const sandbox = await startSandbox(options);
  sandboxes.push(sandbox);
  return sandbox.url;
}

const site = SITE;
const optionsWithError: SandboxOptions = {
  seed: 41,
  subscriptions: 60,
  outage: false,
  faults: 'plant.arithmetic=1',
};
const optionsWithoutErrors: SandboxOptions = { seed: 41, subscriptions: 60, outage: false };

async function getOnlyException(bench: CheckBench): Promise<ExceptionRow> {
  const rows = await bench.exceptions();
  expect(rows).toHaveLength(1);
  return rows[0] as ExceptionRow;
}

async function getHistory(bench: CheckBench, id: number) {
  const { history } = await bench.client.exceptions.get({ site, id });
  return history.map(({ action: what, user, text, job }) => ({ action: what, user, text, job }));
}

/** Changes rows of the cache as if the service had sent different values. */
function changeRows(bench: CheckBench, sql: string, ...values: number[]): void {
  const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
  cache.prepare(sql).run(...values);
  closeStore(cache);
}

describe('exception resolved by a later sync', () => {
  it('is closed with the name of the sync, and reopened if it is found again', async () => {
    const bench = await openSyncedBench(optionsWithError);
    const found = await getOnlyException(bench);
    expect(found).toMatchObject({ rule: 'statement-foots', severity: 'error', status: 'open' });

    await bench.client.sites.update({ site, base_url: await startSandboxServer(optionsWithoutErrors) });
    const mending = await bench.sync({ full: true });
    expect(mending.summary).toContain('1 closed');
    expect(await getOnlyException(bench)).toMatchObject({ id: found.id, status: 'closed' });
    const told = await getHistory(bench, found.id);
    expect(told.map(({ action: what }) => what)).toEqual(['found', 'closed']);
    expect(told[1]).toMatchObject({ user: null, job: mending.id });
    expect(told[1]?.text).toMatch(
      /^Resolved: no longer found by the sync of \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
    );

    await bench.client.sites.update({ site, base_url: bench.sandbox.url });
    await bench.sync({ full: true });
    expect(await getOnlyException(bench)).toMatchObject({ id: found.id, status: 'open' });
    expect((await getHistory(bench, found.id)).at(-1)?.text).toMatch(/^Found again by the sync/);
  });

  it('is closed by the replay that delivers the webhook', async () => {
    const bench = await openSyncedBench({ seed: 42, subscriptions: 30 });
    const rows = await bench.exceptions({ status: ['open'] });
    expect(rows.length).toBeGreaterThan(3);
    const { plan } = await bench.client.replay.plan({ site, selection: { filter: { status: 'failed' } } });
    const { job } = await bench.client.replay.run({ site, plan });
    expect(await bench.waitForJob(job)).toMatchObject({ state: 'done' });
    expect(await bench.exceptions({ status: ['open'] })).toEqual([]);
    const told = await getHistory(bench, rows[0]!.id);
    expect(told.at(-1)).toMatchObject({ action: 'closed', user: null, job });
    expect(told.at(-1)?.text).toContain('by the replay of');
  });
});

describe('sync', () => {
  it('checks only subscriptions with new or changed records', async () => {
    const bench = await openSyncedBench(optionsWithoutErrors);
    const units = () => bench.cache().prepare('SELECT count(*) FROM subscription').pluck().get() as number;
    expect(units()).toBe(60);
    const again = await bench.sync();
    expect(again.summary).not.toContain('checked');

    const { truth, url, apiKey } = bench.sandbox;
    const components = [...truth.components()].filter((_, at) => at % 9 === 0).slice(0, 3);
    for (const { subscription_id, component_id } of components) {
      const path = `/subscriptions/${subscription_id}/components/${component_id}/allocations.json`;
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${apiKey}:x`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ allocation: { quantity: 7, memo: 'More.' } }),
      });
      expect(answer.status).toBe(201);
    }
    await bench.sandbox.idle();
    const touched = new Set(components.map(({ subscription_id }) => subscription_id)).size;
    const some = await bench.sync();
    expect(some.summary).toContain(`${touched} subscriptions checked`);
    expect((await bench.exceptions()).map(({ message }) => message)).toEqual([]);
  });
});

describe('accepted exception', () => {
  it('stays accepted until its rows change, then is reopened', async () => {
    const bench = await openSyncedBench(optionsWithError);
    const { id, subject } = await getOnlyException(bench);
    await bench.client.exceptions.accept({
      site,
      ids: [id],
      reason: 'Written off, see the note of 3 November.',
    });
    expect(await getOnlyException(bench)).toMatchObject({ status: 'accepted' });

    expect(await bench.check()).toMatchObject({ state: 'done' });
    await bench.sync({ full: true });
    expect(await getOnlyException(bench)).toMatchObject({ status: 'accepted' });

    const amount =
      'UPDATE txn SET amount_in_cents = amount_in_cents + 7 WHERE row = (SELECT max(row) FROM txn WHERE statement_id = ?)';
    changeRows(bench, amount, subject.statement_id as number);
    expect((await bench.check()).summary).toContain('1 came back');
    expect(await bench.client.exceptions.get({ site, id })).toMatchObject({ status: 'open' });
    const told = await getHistory(bench, id);
    expect(told.map(({ action: what }) => what)).toEqual(['found', 'accepted', 'reopened']);
    expect(told[1]).toMatchObject({ user: 'unknown', text: 'Written off, see the note of 3 November.' });
    expect(told[2]).toMatchObject({ user: null });
    expect(told[2]?.text).toMatch(/The difference was -?\d+\.\d\d and is now -?\d+\.\d\d\.$/);
  });

  it('keeps its status and its assignee when the cache is rebuilt', async () => {
    const bench = await openSyncedBench({
      ...optionsWithError,
      faults: 'plant.arithmetic=1,plant.lost_webhook=1',
    });
    const before = await bench.exceptions();
    const [one, two] = before.map(({ id }) => id) as [number, number];
    await bench.client.exceptions.accept({ site, ids: [one], reason: 'Known.' });
    await bench.client.exceptions.assign({ site, ids: [two], assigned: 'Ada' });

    await bench.loseCache();
    await bench.sync({ only: ['webhooks'] });
    await bench.check();
    const between = (await bench.exceptions()).filter(({ id }) => id === one || id === two);
    expect(between.map(({ status }) => status).sort()).toEqual(['accepted', 'open']);
    await bench.sync();
    const after = await bench.exceptions();
    expect(after.map(({ id, status, assigned }) => ({ id, status, assigned }))).toEqual(
      before.map(({ id }) => ({
        id,
        status: id === one ? 'accepted' : 'open',
        assigned: id === two ? 'Ada' : null,
      })),
    );
    for (const { id } of before) {
      const told = await getHistory(bench, id);
      expect(told.filter(({ user }) => user === null).map(({ action: what }) => what)).toEqual(['found']);
    }
  });
});

describe('decisions about exceptions', () => {
  it('are rejected as a whole if one of them is not possible', async () => {
    const bench = await openSyncedBench({ ...optionsWithError, faults: 'plant.arithmetic=1,plant.gap=1' });
    const [one, two] = (await bench.exceptions()).map(({ id }) => id) as [number, number];
    const { exceptions } = bench.client;
    const failure = (promise: Promise<unknown>) => promise.then(() => null, toContractError);
    expect(await failure(exceptions.accept({ site, ids: [one, 999], reason: 'Both.' }))).toMatchObject({
      code: 'not_found',
    });
    expect(await failure(exceptions.accept({ site, ids: [one], reason: '  ' }))).toMatchObject({
      code: 'validation',
    });
    expect(await failure(exceptions.reopen({ site, ids: [one], reason: 'Why not.' }))).toMatchObject({
      code: 'conflict',
    });
    expect((await bench.exceptions()).every(({ status }) => status === 'open')).toBe(true);
    await exceptions.accept({ site, ids: [one], reason: 'Known.' });
    expect(await failure(exceptions.accept({ site, ids: [two, one], reason: 'Both.' }))).toMatchObject({
      code: 'conflict',
    });
    expect((await exceptions.get({ site, id: two })).status).toBe('open');
    await exceptions.reopen({ site, ids: [one], reason: 'Not known after all.' });
    const subjects = [one, two].map((id) => ({ kind: 'exception' as const, id: String(id) }));
    await bench.client.comments.add({ site, subjects, text: 'Asked the service.' });
    await exceptions.assign({ site, ids: [two], assigned: 'Ada' });
    expect(await exceptions.assignees({ site })).toEqual([{ assigned: 'Ada', open: 1 }]);
    expect((await bench.exceptions({ assigned: null })).map(({ id }) => id)).toEqual([one]);
    expect((await getHistory(bench, one)).map(({ action: what }) => what)).toEqual([
      'found',
      'accepted',
      'reopened',
    ]);
    expect((await exceptions.get({ site, id: one })).comments).toBe(1);
    const audit = await bench.client.audit.list({ site, filter: { action: 'exceptions' } });
    expect(audit.rows.map(({ action, subject, reason }) => [action, subject, reason])).toEqual([
      ['exceptions.assign', String(two), null],
      ['exceptions.reopen', String(one), 'Not known after all.'],
      ['exceptions.accept', String(one), 'Known.'],
    ]);
    expect(await bench.client.audit.verify({ site })).toMatchObject({ ok: true, broken_at: null });
  });
});

describe('rule that is switched off', () => {
  it('closes its exceptions with the reason, and another rule reports what it explained until it is on again', async () => {
    const bench = await openSyncedBench({ ...optionsWithError, faults: 'plant.failed_counts=1' });
    const found = await getOnlyException(bench);
    expect(found.rule).toBe('failed-payment-counted');
    const off = await bench.client.check.switch({
      site,
      rule: found.rule,
      off: true,
      reason: 'Not ours to judge.',
    });
    expect(off.rule).toMatchObject({
      enabled: false,
      off: { reason: 'Not ours to judge.', user: 'unknown' },
      open: 0,
    });
    await bench.waitForJob(off.job as string);
    const others = (await bench.exceptions({ status: ['open'] })).map(({ rule }) => rule);
    expect(others).not.toContain(found.rule);
    expect(others.length).toBeGreaterThan(0);
    expect((await getHistory(bench, found.id)).at(-1)?.text).toBe(
      'The rule was switched off: Not ours to judge.',
    );
    expect((await bench.client.check.summary({ site })).checked.stale).toBeNull();

    const on = await bench.client.check.switch({ site, rule: found.rule, off: false, reason: 'It is.' });
    await bench.waitForJob(on.job as string);
    const open = await bench.exceptions({ status: ['open'] });
    expect(open.map(({ id, rule }) => [id, rule])).toEqual([[found.id, found.rule]]);
    const audit = await bench.client.audit.list({ site, filter: { action: 'check.switch' } });
    expect(audit.rows.map(({ subject, reason, detail }) => [subject, reason, detail['off']])).toEqual([
      [found.rule, 'It is.', false],
      [found.rule, 'Not ours to judge.', true],
    ]);
  });
});
