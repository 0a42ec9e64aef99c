import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { getContractRouter, isContractProcedure } from '@orpc/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  type BackendClient,
  type BackendThread,
  backendContract,
  createBackendClient,
  getProcedureKind,
  toContractError,
} from '../../src/contract/index.ts';
import {
  type AppHost,
  createPortChannel,
  type FrameChannel,
  relayFrames,
  startHost,
} from '../../src/host/index.ts';
import { createPortLink } from '../../src/host/port-link.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { createTemporaryHome } from '../host/test-host.ts';

/**
 * Check 14: an API key enters once and is never exposed: not in a reply of any procedure, in the log or in a file. The
 * complete backend runs in its threads against the sandbox, and the test inspects the frames sent to the page.
 */
const KEY = 'sk-Zq7+Vw/9xM3=tieout-secret';
const WRONG = 'wrong-Kp4/Ty8+secret-of-another';
const place = createTemporaryHome();
let service: Sandbox;
let host: AppHost;
const frames: string[] = [];
let page: BackendClient;

beforeAll(async () => {
  service = await startSandbox({ apiKey: KEY, subscriptions: 4, months: 2, seed: 3 });
  host = await startHost({ home: place.home, version: '1.2.3', logLevel: 'debug' });
  page = createBackendClient({ reader: tapped('reader'), writer: tapped('writer') });
  await page.sites.add({ title: 'Acme', site: 'acme', base_url: service.url, api_key: KEY });
  const { job } = await page.sync.start({ site: 'acme' });
  for await (const state of await page.jobs.watch({ site: 'acme', job })) {
    if (state.ended_at) expect(state).toMatchObject({ state: 'done' });
  }
});

afterAll(async () => {
  await host.keychain.forget('acme');
  await host.close();
  await service.close();
  place.remove();
});

/** A link to a thread that records every frame sent to the page. */
function tapped(thread: BackendThread) {
  const { port1, port2 } = new MessageChannel();
  const toPage = createPortChannel(port2);
  const tap: FrameChannel = {
    ...toPage,
    send(frame) {
      frames.push(Buffer.from(frame).toString('latin1'));
      toPage.send(frame);
    },
  };
  relayFrames(createPortChannel(host.connect(thread)), tap);
  return createPortLink(port1).link;
}

function pathsOf(router: object, above: readonly string[] = []): string[][] {
  return Object.entries(router).flatMap(([name, inner]) => {
    const path = [...above, name];
    return isContractProcedure(inner) ? [path] : pathsOf(inner, path);
  });
}

/** One input with fields for nearly every procedure. Each procedure uses the fields it knows. */
async function anyInput() {
  const [webhook] = (await page.webhooks.list({ site: 'acme' })).rows;
  const [statement] = (await page.statements.list({ site: 'acme' })).rows;
  const [pair] = (await page.allocations.components({ site: 'acme' })).rows;
  const [job] = await page.jobs.list({ site: 'acme' });
  const { plan } = await page.replay.plan({
    site: 'acme',
    selection: { ids: [webhook?.id ?? 0] },
    include_accepted: true,
  });
  const from = {
    changes: [
      {
        subscription_id: pair?.subscription_id ?? 1,
        component_id: pair?.component_id ?? 1,
        quantity: 9,
        memo: 'Nine',
      },
    ],
  };
  const { draft, sha256 } = await page.allocations.draft({ site: 'acme', from });
  return {
    site: 'acme',
    from,
    draft,
    sha256,
    ordinal: 0,
    webhook: webhook?.id,
    id: statement?.id,
    job: job?.id,
    plan,
    subscription_id: pair?.subscription_id ?? 1,
    component_id: pair?.component_id ?? 1,
    selection: { filter: {} },
    key: 'theme',
    value: 'dark',
    title: 'Acme',
    base_url: service.url,
    format: 'json',
    currency: 'USD',
    api_key: KEY,
    rule: 'statement-foots',
    data: 'YQ==',
    period: '2026-10',
  };
}

async function call(path: readonly string[], input: unknown): Promise<void> {
  const asked = path.reduce<unknown>((at, name) => Reflect.get(at as object, name), page) as (
    input: unknown,
    options: { signal: AbortSignal },
  ) => Promise<unknown>;
  const ending = new AbortController();
  try {
    const answer = await asked(input, { signal: ending.signal });
    if (getProcedureKind(path) === 'stream') {
      const next = (answer as AsyncIterator<unknown>).next();
      // Creates events to be reported.
      await page.settings.set({ key: 'theme', value: 'dark' });
      await next;
    }
  } catch (error) {
    frames.push(JSON.stringify(toContractError(error)));
  }
  ending.abort();
}

const missingRange = { from: '2026-10-01T00:00:00Z', to: '2026-10-02T00:00:00Z' };

/** Fields that one procedure uses with a different meaning than the others. */
const own: Record<string, object> = {
  'bank.plan': { account: { name: 'Main' } },
  'journal.add': {
    memo: 'Accrued hosting',
    lines: [
      { account: '6800', debit_in_cents: 1 },
      { account: '3500', credit_in_cents: 1 },
    ],
  },
  'incidents.add': { from: { filter: {} } },
  'missingWebhooks.list': { range: missingRange },
  'missingWebhooks.export': { range: missingRange },
  'missingWebhooks.readEvents': { range: missingRange },
  'comments.add': { subjects: [{ kind: 'line', id: '1' }] },
  'comments.list': { subject: { kind: 'line', id: '1' } },
  'match.split': { parts: [{}, {}] },
  'match.saveRule': {
    conditions: [{ field: 'kind', kinds: ['fee'] }],
    action: { do: 'ignore' },
  },
  'match.tryRule': {
    conditions: [{ field: 'kind', kinds: ['fee'] }],
    action: { do: 'ignore' },
  },
  'periods.comment': { figure: 'S2.open' },
  'periods.explainFlux': { figure: 'S2.open' },
  'workpapers.fluxRows': { figure: 'S2.open' },
  'periods.explained': { items: ['line:1'] },
  'periods.explain': { items: ['line:1'] },
  'periods.changeChecklistStep': { step: 'sync' },
  'periods.removeChecklistStep': { step: 'own:1' },
  'periods.importReview': { key: 'ab'.repeat(12) },
  'workpapers.rows': { figure: 'S2.payments' },
  'backups.compare': { from: { name: 'none.db' } },
  'backups.restore': { from: { name: 'none.db' } },
  'archive.plan': { target: { kind: 'folder', path: '/nowhere/at/all' } },
};

/** Returns an input for this procedure: known fields, and generated values for other required ones. */
function inputFor(path: readonly string[], known: Record<string, unknown>): unknown {
  const procedure = getContractRouter(backendContract, path);
  const schema = isContractProcedure(procedure) ? (procedure['~orpc'].inputSchema as z.ZodType) : undefined;
  const input = structuredClone({ ...known, ...own[path.join('.')] });
  for (let round = 0; round < 5; round += 1) {
    for (const issue of schema?.safeParse(input).error?.issues ?? []) {
      const last = String(issue.path.at(-1));
      const holder = issue.path.slice(0, -1).reduce<object>((at, name) => Reflect.get(at, name), input);
      Reflect.set(holder, last, madeUp(issue));
    }
  }
  expect(schema?.safeParse(input).error?.issues, path.join('.')).toBeUndefined();
  return input;
}

function madeUp(issue: z.core.$ZodIssue): unknown {
  if (issue.code === 'invalid_value') return issue.values[0];
  if (issue.code === 'too_small') return issue.origin === 'array' ? [1] : 1;
  if (issue.code === 'invalid_format') return '2026-10-31';
  if (issue.code === 'custom') return '/nowhere/at/all';
  const made: Record<string, unknown> = {
    boolean: true,
    number: 1,
    int: 1,
    array: [],
    object: {},
    record: {},
  };
  return issue.code === 'invalid_type' ? (made[issue.expected] ?? 'x') : 'x';
}

/** Procedures that remove the site run last. */
const destructive = ['sites.remove'];
const paths = pathsOf(backendContract).filter((path) => !destructive.includes(path.join('.')));

/** Encodings in which a key might appear. */
function formsOf(key: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64').slice(0, -4);
  return [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), base64(key), base64(`${key}:x`)];
}

function expectNoKey(where: string, text: string): void {
  for (const key of [KEY, WRONG]) {
    for (const form of formsOf(key)) expect(text.includes(form), `${form} in ${where}`).toBe(false);
  }
}

test('no reply of any procedure contains the key in any encoding', async () => {
  const input = await anyInput();
  for (const path of paths) {
    const before = frames.length;
    await call(path, inputFor(path, input));
    expect(frames.length, `${path.join('.')} answered`).toBeGreaterThan(before);
  }
  expect(frames.join('\n'), 'what crosses is seen').toContain(`"key_hint":"${KEY.slice(-4)}"`);
  expectNoKey('a reply', frames.join('\n'));
});

test('no error contains a key: refused, unreachable, invalid, missing', async () => {
  const before = frames.length;
  await call(['sites', 'replaceKey'], { site: 'acme', api_key: WRONG });
  await call(['sites', 'test'], { base_url: service.url, format: 'json', api_key: WRONG });
  await call(['sites', 'test'], { base_url: 'http://127.0.0.1:1', format: 'json', api_key: KEY });
  await call(['sites', 'test'], { base_url: `http://${KEY}:x@127.0.0.1`, format: 'json', api_key: KEY });
  await call(['sites', 'add'], { title: KEY.repeat(9), base_url: 7, api_key: KEY });
  await call(['sites', 'add'], { title: 'Other', base_url: service.url, api_key: WRONG });
  await call(['sites', 'get'], { site: KEY });
  const replies = frames.slice(before);
  expect(replies.length).toBeGreaterThanOrEqual(7);
  expect(replies.join('\n')).toContain('auth');
  expectNoKey('an error', replies.join('\n'));
});

test('the log contains no key, whatever succeeded or failed', async () => {
  host.log({
    level: 'error',
    msg: `A shell that logs ${KEY}`,
    header: `Basic ${Buffer.from(`${WRONG}:x`).toString('base64')}`,
  });
  await call(['settings', 'all'], {});
  await expect
    .poll(() => readFileSync(join(host.home, 'logs', 'tieout.log'), 'utf8'))
    .toContain('A shell that logs');
  expectNoKey('the log', readFileSync(join(host.home, 'logs', 'tieout.log'), 'utf8'));
});

/** Returns the contents of a file, or nothing if it was deleted meanwhile, such as a lock or a temporary file. */
function textIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
}

test('no file of the home contains the key', () => {
  const files = readdirSync(host.home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(3);
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    expectNoKey(path, textIfThere(path));
  }
});

test('removing a site deletes its key from the keychain', async () => {
  expect(await host.keychain.get('acme')).toBe(KEY);
  const running = async () => {
    const jobs = (await page.jobs.list({ site: 'acme' })).filter(({ state }) => state === 'running');
    for (const { id } of jobs) await page.jobs.cancel({ site: 'acme', job: id });
    return jobs;
  };
  await expect.poll(running).toEqual([]);
  await page.sites.remove({ site: 'acme' });
  expect(await host.keychain.get('acme')).toBeNull();
  expectNoKey('a reply', frames.join('\n'));
});
