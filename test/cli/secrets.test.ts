import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ContractOutputs } from '../../src/contract/contract.ts';
import {
  type CommandEnvironment,
  cleanUpAfterFile,
  connectSandbox,
  run,
  runJson,
  type SandboxLine,
  startCommand,
  startSandboxCommand,
  temporaryFolder,
  waitForExit,
  waitForOutput,
} from './run-tieout.ts';

const afterwards = cleanUpAfterFile();
let service: SandboxLine;
beforeAll(async () => {
  // A random seed creates a unique key, so that every occurrence of it comes from this test.
  const seed = String(randomInt(2 ** 31));
  service = await startSandboxCommand(
    ['--seed', seed, '--subscriptions', '20', '--months', '3', '--faults', 'latency=50'],
    afterwards,
  );
});

/** Returns the key in every encoding in which it could have been stored. */
function encodeKey(key: string): Buffer[] {
  const basic = Buffer.from(`${key}:x`);
  return [
    Buffer.from(key),
    Buffer.from(key, 'utf16le'),
    Buffer.from(encodeURIComponent(key)),
    Buffer.from(Buffer.from(key).toString('hex')),
    Buffer.from(Buffer.from(key).toString('base64').slice(0, -4)),
    Buffer.from(basic.toString('base64').slice(0, -4)),
  ];
}

function expectKeyAbsent(where: string, bytes: Buffer, key: string): void {
  for (const form of encodeKey(key)) expect(bytes.indexOf(form), `${form.toString()} in ${where}`).toBe(-1);
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Returns the command-line arguments of every running process. */
function listProcessArguments(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    });
}

const keySources: [string, (home: string) => CommandEnvironment][] = [
  ['in the keychain', (home) => ({ home })],
  ['in TIEOUT_API_KEY', (home) => ({ home, key: service.api_key, keychain: false })],
];

test.each(keySources)(
  'an API key %s appears in no file, no output and no process argument',
  async (_name, surroundings) => {
    const key = service.api_key;
    const at = surroundings(temporaryFolder());
    await connectSandbox(at, service);

    const syncing = startCommand(['sync', '--debug'], at);
    await waitForOutput(syncing.stderr!, /webhooks \d/);
    const lines = listProcessArguments();
    expect(lines.some((line) => line.includes('sync'))).toBe(true);
    for (const line of lines) expectKeyAbsent('the arguments of a process', Buffer.from(line), key);
    const synced = await waitForExit(syncing);

    const { rows } = await runJson<{ rows: ContractOutputs['webhooks']['get'][] }>(
      ['webhooks', 'list', '--status', 'failed'],
      at,
    );
    const plan = await runJson<ContractOutputs['replay']['plan']>(
      ['replay', 'plan', '--status', 'failed'],
      at,
    );
    const commands = [
      ['status'],
      ['site', 'list'],
      ['site', 'list', '--json'],
      ['site', 'test', '--debug'],
      ['webhooks', 'show', String(rows[0]!.id), '--json'],
      ['webhooks', 'list', '--csv'],
      ['replay', 'status'],
      ['doctor', '--json'],
      ['doctor'],
      ['jobs', 'list', '--json'],
      ['site', 'update', '--url', 'http://127.0.0.1:9'],
      ['site', 'test', '--debug', '--json'],
      ['sync', '--debug', '--json'],
      ['replay', 'run', plan.plan, '--debug', '--json'],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await run(args, at);
      expectKeyAbsent(`the output of ${args.join(' ')}`, Buffer.from(stdout + stderr), key);
    }
    expectKeyAbsent('the output of sync', Buffer.from(synced.stdout + synced.stderr), key);

    const files = listFiles(at.home);
    expect(files.map((file) => file.slice(at.home.length)).join()).toMatch(/cache\.db.*site\.json/);
    for (const file of files) expectKeyAbsent(file, readFileSync(file), key);
    await run(['site', 'remove', 'acme'], at);
    for (const file of listFiles(at.home)) expectKeyAbsent(file, readFileSync(file), key);
  },
);
