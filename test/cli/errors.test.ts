import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { SystemCheck } from '../../src/contract/app/app.ts';
import { runForDocument, runForError } from './run-in-process.ts';
import {
  type CommandEnvironment,
  cleanUpAfterFile,
  connectSandbox,
  run,
  type SandboxLine,
  startSandboxCommand,
  temporaryFolder,
} from './run-tieout.ts';

const afterwards = cleanUpAfterFile();
let service: SandboxLine;
beforeAll(async () => {
  service = await startSandboxCommand(['--subscriptions', '4', '--months', '2'], afterwards);
});

/** Returns a local address without a server. */
const getClosedAddress = async () => 'http://127.0.0.1:1';

/** Starts a local server with this handler and returns its address. */
async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sendWebPage: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end('<!doctype html><title>It works!</title>');
};

/** Reads the files of a site's folder, except logs and SQLite's temporary files. */
function hashFiles(home: string): Record<string, string> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.log|-shm$|-wal$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

describe('site add fails and saves nothing in case of', () => {
  const cases: [string, () => Promise<string>, string, number, RegExp][] = [
    ['no server at the address', getClosedAddress, 'network', 4, /refused|reach/i],
    [
      'a server that is not the billing service',
      () => startServer(sendWebPage),
      'service',
      4,
      /web page instead of billing data/,
    ],
    [
      'a server that responds 404',
      () => startServer((_, reply) => reply.writeHead(404).end()),
      'not_found',
      2,
      /not the address of a billing service/,
    ],
    ['not an address', async () => 'acme billing', 'validation', 2, /address|URL/i],
    [
      'an address that is not encrypted',
      async () => 'http://billing.example.com',
      'validation',
      2,
      /unencrypted/,
    ],
  ];
  test.each(cases)('%s', async (_name, url, code, exit, message) => {
    const at = { home: temporaryFolder(), key: 'a-key-for-closedAddress' };
    const args = ['site', 'add', '--name', 'Acme', '--url', await url()];
    const error = await runForError(args, at, exit);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(/address|https:/);
    expect(await runForDocument(['site', 'list'], at)).toMatchObject({ rows: [] });
  });

  test('a rejected key', async () => {
    const at = { home: temporaryFolder(), key: 'not-the-right-key' };
    const error = await runForError(['site', 'add', '--name', 'Acme', '--url', service.url], at, 3);
    expect(error).toMatchObject({ code: 'auth', hint: expect.stringContaining('TIEOUT_API_KEY') as string });
    expect(await runForDocument(['site', 'list'], at)).toMatchObject({ rows: [] });
  });

  test('no key', async () => {
    const at = { home: temporaryFolder() };
    const error = await runForError(['site', 'add', '--name', 'Acme', '--url', service.url], at, 3);
    expect(error.hint).toContain('TIEOUT_API_KEY');
  });
});

describe('stored data', () => {
  let at: CommandEnvironment;
  let before: unknown;
  const stored = async () => [
    await runForDocument(['webhooks', 'list', '--all'], at),
    await runForDocument(['statements', 'list', '--all'], at),
    await runForDocument(['transactions', 'list', '--all'], at),
  ];

  beforeAll(async () => {
    at = { home: temporaryFolder(afterwards), key: service.api_key, keychain: false };
    await connectSandbox(at, service);
    await runForDocument(['sync'], at);
    before = await stored();
  });

  test.each([
    ['no network', getClosedAddress, 'network'],
    ['another server', () => startServer(sendWebPage), 'service'],
  ])('is unchanged after a sync fails because of %s', async (_name, url, code) => {
    await runForDocument(['site', 'update', '--url', await url()], at);
    expect(await runForError(['sync'], at, 4)).toMatchObject({ code });
    expect(await stored()).toEqual(before);
    await runForDocument(['site', 'update', '--url', service.url], at);
  });

  test('is unchanged after a sync fails because of a rejected key', async () => {
    const refused = { ...at, key: 'not-the-right-key' };
    expect(await runForError(['sync'], refused, 3)).toMatchObject({ code: 'auth' });
    expect(await stored()).toEqual(before);
    const { stdout } = await run(['status'], at);
    expect(stdout).toContain('The last sync failed');
  });

  test('is unchanged by a read-only command, which writes no files', async () => {
    const files = hashFiles(at.home);
    for (const args of [['status'], ['webhooks', 'list'], ['site', 'list'], ['jobs', 'list']])
      await run(args, at);
    expect(hashFiles(at.home)).toEqual(files);
  });

  test('a damaged cache is reported with a hint and rebuilt by a sync', async () => {
    const folder = join(at.home, 'sites', 'acme');
    for (const file of ['cache.db-wal', 'cache.db-shm']) rmSync(join(folder, file), { force: true });
    writeFileSync(join(folder, 'cache.db'), randomBytes(10_000));
    expect(await runForError(['webhooks', 'list'], at, 5)).toMatchObject({
      code: 'corrupt',
      hint: expect.stringContaining('tieout doctor') as string,
    });
    const { checks } = await runForDocument<{ checks: SystemCheck[] }>(['doctor', '--offline'], at, 1);
    expect(checks.find(({ name }) => name.startsWith('cache.db'))).toMatchObject({ ok: false });
    expect(await runForDocument(['sync'], at)).toMatchObject({ complete: true });
    expect(await stored()).toEqual(before);
  });
});

test('an unusable data directory is reported', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(await runForError(['status'], { home: join(file, 'home') }, 5)).toMatchObject({ code: 'storage' });
});

test('an error prints a stack trace only with --debug', async () => {
  const at = { home: temporaryFolder() };
  expect((await run(['webhooks', 'list'], at)).stderr).not.toContain('    at ');
  expect((await run(['webhooks', 'list', '--debug'], at)).stderr).toContain('    at ');
});
