import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ContractOutputs } from '../../../src/contract/contract.ts';
import { runForDocument, runForError } from '../run-in-process.ts';
import {
  cleanUpAfterFile,
  connectSandbox,
  run,
  type SandboxLine,
  startSandboxCommand,
  temporaryFolder,
} from '../run-tieout.ts';

type Site = ContractOutputs['sites']['get'];

const afterwards = cleanUpAfterFile();
let service: SandboxLine;
beforeAll(async () => {
  service = await startSandboxCommand(['--subscriptions', '3', '--months', '2'], afterwards);
});

test('site commands add, list, test, update and remove a site', async () => {
  const at = { home: temporaryFolder(), key: service.api_key };
  const added = await runForDocument<Site>(
    ['site', 'add', '--name', 'Acme Ltd.', '--url', service.url, '--currency', 'EUR'],
    at,
  );
  expect(added).toMatchObject({ title: 'Acme Ltd.', currency: 'EUR', has_key: true });
  expect((await runForDocument<{ rows: Site[] }>(['site', 'list'], at)).rows).toMatchObject([
    { site: added.site },
  ]);
  expect(await runForDocument(['site', 'test'], at)).toMatchObject({ ok: true, site: added.site });
  expect(await runForDocument(['site', 'test', 'Acme Ltd.'], at)).toMatchObject({ ok: true });
  expect(await runForDocument(['site', 'update', '--title', 'Acme', '--currency', 'USD'], at)).toMatchObject({
    site: added.site,
    title: 'Acme',
    currency: 'USD',
  });
  const { set_aside } = await runForDocument<{ set_aside: string }>(['site', 'remove', added.site], at);
  expect(existsSync(join(at.home, set_aside, 'site.json'))).toBe(true);
  expect((await runForDocument<{ rows: Site[] }>(['site', 'list'], at)).rows).toEqual([]);
});

test('a key is stored in the keychain for the next command', async () => {
  const home = temporaryFolder();
  await connectSandbox({ home }, service);
  expect(await runForDocument(['site', 'test'], { home })).toMatchObject({ ok: true });
  expect(await runForDocument<Site>(['site', 'key'], { home, key: service.api_key })).toMatchObject({
    has_key: true,
    key_hint: service.api_key.slice(-4),
  });
  await runForDocument(['site', 'remove', 'acme'], { home });
});

test('a rejected new key does not replace the stored one', async () => {
  const home = temporaryFolder();
  await connectSandbox({ home }, service);
  expect(await runForError(['site', 'key'], { home, key: 'not-the-right-key' }, 3)).toMatchObject({
    code: 'auth',
  });
  expect(await runForDocument(['site', 'test'], { home })).toMatchObject({ ok: true });
  await runForDocument(['site', 'remove', 'acme'], { home });
});

test('without a keychain, TIEOUT_API_KEY is required', async () => {
  const at = { home: temporaryFolder(), keychain: false };
  await connectSandbox(at, service);
  expect(await runForDocument(['site', 'test'], { ...at, key: service.api_key })).toMatchObject({ ok: true });
  expect(await runForError(['site', 'test'], at, 3)).toMatchObject({
    hint: expect.stringContaining('TIEOUT_API_KEY') as string,
  });
});

test('commands require --site if there are several sites', async () => {
  const at = { home: temporaryFolder(), key: service.api_key };
  expect(await runForError(['webhooks', 'list'], at, 2)).toMatchObject({
    message: 'No site is connected yet.',
    hint: expect.stringContaining('tieout site add') as string,
  });
  await connectSandbox(at, service);
  expect(await runForError(['webhooks', 'list', '--site', 'bcme'], at, 2)).toMatchObject({
    code: 'not_found',
    hint: expect.stringContaining('acme') as string,
  });
  await runForDocument(
    ['site', 'add', '--name', 'Other', '--url', service.url.replace('127.0.0.1', 'localhost')],
    at,
  );
  expect(await runForError(['webhooks', 'list'], at, 2)).toMatchObject({
    hint: expect.stringContaining('--site') as string,
  });
  expect(await runForDocument(['webhooks', 'list', '--site', 'other'], at)).toMatchObject({ rows: [] });
  expect(await runForError(['site', 'test', 'acme', '--site', 'other'], at, 2)).toMatchObject({
    code: 'validation',
  });
  for (const name of ['acme', 'other']) await run(['site', 'remove', name], at);
});
