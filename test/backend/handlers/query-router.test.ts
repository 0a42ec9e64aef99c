import {
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import type { ShellClient } from '../../../src/backend/shared/backend-start-options.ts';
import { getSiteLockPath } from '../../../src/backend/sites/actual-job-state.ts';
import { writeAppSetting } from '../../../src/backend/sites/app-settings.ts';
import { writeSite } from '../../../src/backend/sites/site-file.ts';
import { addStatementPdf } from '../../../src/backend/store/archive/statement-pdf.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { type StoredJob, saveJob } from '../../../src/backend/store/jobs/job.ts';
import { indexPendingRecords } from '../../../src/backend/store/search/search-index.ts';
import { lockFile } from '../../../src/backend/store/sqlite/file-lock.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import { saveSyncPartState } from '../../../src/backend/store/sync/sync-unit.ts';
import { upsertWebhooks } from '../../../src/backend/store/webhooks/webhook.ts';
import {
  type BackendClient,
  type BackendLink,
  createBackendClient,
  type ErrorValue,
  type SyncPart,
  toContractError,
} from '../../../src/contract/index.ts';
import { createStatement, createWebhook } from '../store/sample-records.ts';

/** A shell that keeps one key and offers any file, or whose keychain is locked. */
function shell({ locked = false } = {}): ShellClient {
  const answer = async <Value>(value: Value) => {
    if (locked) throw new Error('The keychain is locked.');
    return value;
  };
  return {
    keychain: {
      get: () => answer({ api_key: 'key' }),
      set: () => answer({}),
      forget: () => answer({}),
      hint: ({ site }: { site: string }) =>
        answer({ key_hint: site === 'acme' ? '4321' : null, is_session_key: false }),
      check: () => answer({ ok: true, message: 'It answers.', advice: null }),
    },
    blobs: {
      offer: async ({ path, name, type }: { path: string; name: string; type: string }) => ({
        blob: path,
        name,
        type,
        bytes: 3,
      }),
    },
  } as unknown as ShellClient;
}

interface Bench {
  home: string;
  client: BackendClient;
  folder(site: string): string;
  /** Writes to a site's stores as the writing half does. */
  write(
    site: string,
    work: (cache: ReturnType<typeof openStore>, books: ReturnType<typeof openStore>) => void,
  ): void;
}

function bench(options: { locked?: boolean } = {}): Bench {
  const home = mkdtempSync(join(tmpdir(), 'tieout-reader-'));
  const reader = openBackendReader({
    home,
    version: '1.2.3',
    shell: shell(options),
    log: () => undefined,
    user: 'mara',
  });
  onTestFinished(async () => {
    await reader.close();
    rmSync(home, { recursive: true, force: true });
  });
  const nobody: BackendLink = { call: () => Promise.reject(new Error('There is no writer here.')) };
  const folder = (site: string) => join(home, 'sites', site);
  return {
    home,
    folder,
    client: createBackendClient({ reader: reader.link, writer: nobody }),
    write(site, work) {
      const cache = openStore(join(folder(site), 'cache.db'), 'cache');
      const books = openStore(join(folder(site), 'books.db'), 'books');
      work(cache, books);
      closeStore(cache);
      closeStore(books);
    },
  };
}

const acme = {
  site: 'acme',
  title: 'Acme',
  base_url: 'https://acme.example.com',
  format: 'json' as const,
  currency: 'USD',
  service_details: null,
  demo: false,
  created_at: '2026-01-01T00:00:00.000Z',
};

const failure = (call: Promise<unknown>): Promise<ErrorValue> =>
  call.then(() => {
    throw new Error('The call did not fail.');
  }, toContractError);

const job = (id: string, started_at: number, state: StoredJob['state'] = 'done'): StoredJob => ({
  id,
  kind: 'sync',
  state,
  started_at,
  ended_at: null,
  progress: [],
  rate: null,
  remaining_ms: null,
  summary: null,
  error: null,
});

describe('the reader', () => {
  it('lists the sites with their key hints and last sync', async () => {
    const { home, client, write } = bench();
    expect(await client.sites.list({})).toEqual([]);
    writeSite(home, acme);
    writeSite(home, { ...acme, site: 'beta', title: 'Beta' });
    const saveSync = (parts: readonly SyncPart[], synced_at: number) =>
      write('acme', (cache) => {
        for (const part of parts)
          saveSyncPartState(cache, part, { synced_at, expected: null, complete: true, checkpoint: null });
      });
    saveSync(['webhooks', 'statements'], 5);
    expect((await client.sites.get({ site: 'acme' })).last_synced_at, 'without allocations').toBeNull();
    saveSync(['allocations'], 9);
    expect(await client.sites.list({})).toEqual([
      {
        ...acme,
        has_key: true,
        key_hint: '4321',
        is_session_key: false,
        last_synced_at: '1970-01-01T00:00:00.005Z',
        time_zone: null,
      },
      {
        ...acme,
        site: 'beta',
        title: 'Beta',
        has_key: false,
        key_hint: null,
        is_session_key: false,
        last_synced_at: null,
        time_zone: null,
      },
    ]);
    expect(await client.sites.get({ site: 'beta' })).toMatchObject({ title: 'Beta' });
  });

  it('returns a site even if the keychain is locked', async () => {
    const { home, client } = bench({ locked: true });
    writeSite(home, acme);
    expect(await client.sites.list({})).toMatchObject([{ site: 'acme', has_key: false, key_hint: null }]);
  });

  it('returns empty results for a site that was never synced', async () => {
    const { home, client } = bench();
    writeSite(home, acme);
    expect(await client.webhooks.list({ site: 'acme' })).toEqual({
      rows: [],
      next: null,
      total: { count: 0, exact: true },
    });
    expect(await client.webhooks.facets({ site: 'acme' })).toMatchObject({
      total: 0,
      events: [],
      first_day: null,
    });
    expect(await client.statements.list({ site: 'acme' })).toMatchObject({
      rows: [],
      sums: { charges_in_cents: 0 },
    });
    expect(await client.transactions.list({ site: 'acme' })).toMatchObject({ rows: [], sums: [] });
    expect(await client.subscriptions.list({ site: 'acme' })).toMatchObject({ rows: [] });
    expect(await client.allocations.components({ site: 'acme' })).toMatchObject({ rows: [] });
    expect(await client.sync.status({ site: 'acme' })).toMatchObject({ complete: false, last: null });
    expect(await client.replay.plans({ site: 'acme' })).toEqual([]);
    expect(await client.jobs.list({})).toEqual([]);
    expect(await client.settings.all({})).toEqual({});
  });

  it('reads the writer’s commits immediately', async () => {
    const { home, client, write } = bench();
    writeSite(home, acme);
    await client.webhooks.list({ site: 'acme' });
    write('acme', (cache) => {
      upsertWebhooks(cache, [createWebhook({ id: 1 }), createWebhook({ id: 2 })], 1);
      upsertStatements(cache, [createStatement()], 1);
      while (indexPendingRecords(cache) > 0);
    });
    expect((await client.webhooks.list({ site: 'acme', filter: { search: 'larsson' } })).rows.length).toBe(2);
    expect(await client.webhooks.marks({ site: 'acme' })).toEqual({ every: 200, total: 2, marks: [null] });
    expect(await client.webhooks.get({ site: 'acme', id: 2 })).toMatchObject({ id: 2, replays: [] });
    expect(await client.statements.get({ site: 'acme', id: 1 })).toMatchObject({ state: 'unpaid' });
    expect(await client.subscriptions.get({ site: 'acme', subscription_id: 77 })).toMatchObject({
      statements: 1,
    });
    writeAppSetting(home, 'theme', 'dark');
    expect(await client.settings.all({})).toEqual({ theme: 'dark' });
  });

  it('throws not_found with a hint for missing records', async () => {
    const { home, client } = bench();
    writeSite(home, acme);
    for (const call of [
      () => client.sites.get({ site: 'nowhere' }),
      () => client.webhooks.list({ site: 'nowhere' }),
      () => client.webhooks.get({ site: 'acme', id: 9 }),
      () => client.statements.get({ site: 'acme', id: 9 }),
      () => client.subscriptions.get({ site: 'acme', subscription_id: 9 }),
      () => client.sync.run({ site: 'acme', job: 'x' }),
      () => client.replay.get({ site: 'acme', job: 'x' }),
      () => client.jobs.get({ site: 'acme', job: 'x' }),
    ]) {
      expect(await failure(call())).toMatchObject({
        code: 'not_found',
        message: expect.stringMatching(/^There is no/),
        hint: expect.any(String),
      });
    }
    expect(await failure(client.webhooks.list({ site: 'acme', after: 'nonsense' }))).toMatchObject({
      code: 'validation',
    });
    expect(await failure(client.webhooks.list({ site: 'acme', limit: 0 }))).toMatchObject({
      code: 'validation',
      errors: [expect.stringMatching(/^limit: /)],
    });
  });

  it('reopens the databases when a site is replaced by one of the same name', async () => {
    const { home, client, write, folder } = bench();
    writeSite(home, acme);
    write('acme', (cache) => void upsertWebhooks(cache, [createWebhook()], 1));
    expect((await client.webhooks.list({ site: 'acme' })).rows.length).toBe(1);
    mkdirSync(join(home, 'removed'));
    renameSync(folder('acme'), join(home, 'removed', 'acme-1'));
    expect(await failure(client.webhooks.list({ site: 'acme' }))).toMatchObject({ code: 'not_found' });
    writeSite(home, acme);
    expect((await client.webhooks.list({ site: 'acme' })).rows).toEqual([]);
  });

  it('offers an archived PDF, and reports one that must be downloaded first', async () => {
    const { home, client, write, folder } = bench();
    writeSite(home, acme);
    const sha256 = 'ab'.repeat(32);
    write('acme', (cache) => {
      upsertStatements(cache, [createStatement()], 1);
      addStatementPdf(cache, {
        statement_id: 1,
        sha256,
        bytes: 3,
        fetched_at: 9,
        statement_updated_at: null,
      });
    });
    expect(await client.statements.pdf({ site: 'acme', id: 2 })).toEqual({ stored: false });
    expect(await client.statements.pdf({ site: 'acme', id: 1 })).toEqual({ stored: false });
    const path = join(folder('acme'), 'archive', 'ab', `${sha256}.pdf`);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'pdf');
    expect(await client.statements.pdf({ site: 'acme', id: 1 })).toEqual({
      stored: true,
      sha256,
      fetched_at: '1970-01-01T00:00:00.009Z',
      file: { blob: path, name: 'statement-1.pdf', type: 'application/pdf', bytes: 3 },
    });
  });

  it('lists the jobs of all sites, running ones first, and of one site', async () => {
    const { home, client, write, folder } = bench();
    for (const site of ['acme', 'beta']) writeSite(home, { ...acme, site });
    const lock = lockFile(getSiteLockPath(folder('acme')));
    onTestFinished(() => lock?.release());
    write('acme', (_, books) => {
      saveJob(books, job('old', 1));
      saveJob(books, job('runs', 2, 'running'));
    });
    write('beta', (_, books) => saveJob(books, job('new', 3)));
    const ids = async (input: { site?: string; limit?: number }) =>
      (await client.jobs.list(input)).map((each) => each.id);
    expect(await ids({})).toEqual(['runs', 'new', 'old']);
    expect(await ids({ limit: 2 })).toEqual(['runs', 'new']);
    expect(await ids({ site: 'beta' })).toEqual(['new']);
  });
});

describe('the doctor', () => {
  it('reports no problems for an intact home', async () => {
    const { home, client, write } = bench();
    writeSite(home, acme);
    write('acme', (cache) => void upsertWebhooks(cache, [createWebhook()], 1));
    for (const quick of [true, false]) {
      const checks = await client.app.doctor({ quick });
      expect(checks.map((check) => check.name)).toEqual([
        'Versions',
        'Keychain',
        'Data folder',
        'Disk',
        'cache.db of acme',
        'books.db of acme',
        'Audit log of acme',
        ...(quick ? [] : ['Imported and attached files of acme']),
        'Backups of acme',
      ]);
      expect(checks.every((check) => check.ok && check.advice === null)).toBe(true);
    }
    expect(await client.app.about({})).toMatchObject({
      version: '1.2.3',
      home,
      sqlite: expect.stringMatching(/^3\./),
      user: 'mara',
    });
  });

  it('names damaged databases with advice, while other sites still work', async () => {
    const { home, client, write, folder } = bench({ locked: true });
    for (const site of ['acme', 'beta']) writeSite(home, { ...acme, site });
    write(
      'acme',
      (cache) =>
        void upsertWebhooks(
          cache,
          Array.from({ length: 300 }, (_, at) => createWebhook({ id: at + 1 })),
          1,
        ),
    );
    const path = join(folder('acme'), 'cache.db');
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(8192, 0x5a), 0, 8192, statSync(path).size - 8192);
    writeFileSync(join(folder('beta'), 'books.db'), 'this is no database, it is a text of some length');

    const checks = await client.app.doctor({});
    const bad = checks.filter((check) => !check.ok);
    expect(bad.map((check) => check.name)).toEqual(['Keychain', 'cache.db of acme', 'books.db of beta']);
    for (const check of bad) expect(check.advice).toEqual(expect.any(String));
    expect(await failure(client.replay.list({ site: 'beta' }))).toMatchObject({
      code: 'corrupt',
      hint: expect.any(String),
    });
    expect(await failure(client.webhooks.list({ site: 'beta' }))).toMatchObject({ code: 'corrupt' });
    // What the doctor saw is seen to when the cache is opened for writing next.
    write('acme', (cache) => expect(cache.prepare('SELECT count(*) FROM webhook').pluck().get()).toBe(0));
    expect((await client.webhooks.list({ site: 'acme' })).rows).toEqual([]);
  });
});
