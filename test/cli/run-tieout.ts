import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished } from 'vitest';

/** The real command line, as a child process on a data directory of its own. */
const entry = fileURLToPath(new URL('../../src/cli/index.ts', import.meta.url));

export interface Surroundings {
  readonly home: string;
  /** TIEOUT_API_KEY; without it the command has the keychain alone. */
  readonly key?: string | undefined;
  /** False takes the keychain away (on Linux, where it is a service on the session's bus). */
  readonly keychain?: boolean;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Takes what is to be cleared away afterwards. */
export type Afterwards = (clear: () => void | Promise<void>) => void;

/** For what all tests of a file use: it is cleared away behind the last of them. Called at the top of the file. */
export function afterTheFile(): Afterwards {
  const clears: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const clear of clears.toReversed()) await clear();
  });
  return (clear) => void clears.push(clear);
}

/** A folder that goes when the test ends. */
export function temporaryFolder(afterwards: Afterwards = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-cli-'));
  afterwards(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** So long may a command take; one that hangs is not left behind. */
const patience = 90_000;

/** Starts a command; the caller waits for what it wants to see. */
export function start(
  args: readonly string[],
  { home, key, keychain = true }: Surroundings,
  timeout: number | undefined = patience,
): ChildProcess {
  const { TIEOUT_HOME: _home, TIEOUT_API_KEY: _key, NODE_OPTIONS: _options, ...inherited } = process.env;
  const env: NodeJS.ProcessEnv = { ...inherited, TIEOUT_HOME: home, NO_COLOR: '1' };
  if (key !== undefined) env['TIEOUT_API_KEY'] = key;
  if (!keychain) env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent';
  return spawn(process.execPath, [entry, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
}

/**
 * Waits for a started command to end. To be called before anything else is waited for that may end it: what it says while nobody
 * reads, and that it has ended, is not told again.
 */
export async function ended(child: ChildProcess): Promise<Ran> {
  child.stdin?.end();
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Waits for the end of a command whose stdout nobody reads. */
export async function endedQuietly(child: ChildProcess): Promise<Pick<Ran, 'code' | 'stderr'>> {
  const [stderr, [code]] = await Promise.all([
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stderr };
}

/** Runs a command to its end. */
export function run(args: readonly string[], surroundings: Surroundings, input = ''): Promise<Ran> {
  const child = start(args, surroundings);
  child.stdin?.write(input);
  return ended(child);
}

/** Runs a command with --json, which must end with `code` and print exactly one document. */
export async function json<Document>(
  args: readonly string[],
  surroundings: Surroundings,
  code = 0,
): Promise<Document> {
  const ran = await run([...args, '--json'], surroundings);
  expect(ran, ran.stderr).toMatchObject({ code });
  return JSON.parse(ran.stdout) as Document;
}

/** The document of `--json` where a command fails. */
export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    readonly detail: Record<string, unknown>;
  };
}

/** Runs a command that must fail with this code; gives its error, after a look at how it was said. */
export async function failing(
  args: readonly string[],
  surroundings: Surroundings,
  code: number,
): Promise<ErrorDocument['error']> {
  const ran = await run([...args, '--json', '--quiet'], surroundings);
  expect(ran, ran.stderr).toMatchObject({ code });
  const { error } = JSON.parse(ran.stdout) as ErrorDocument;
  const [sentence, ...more] = ran.stderr.trimEnd().split('\n');
  expect(more, ran.stderr).toEqual([]);
  expect(sentence).toContain(error.message);
  expect(sentence).toContain(error.hint ?? '');
  expect(ran.stderr).not.toMatch(/\n\s+at |node_modules/);
  return error;
}

/** Resolves with what was written so far once `said` is in it. */
export async function until(stream: Readable, said: RegExp): Promise<string> {
  let written = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    written += chunk.toString();
    if (said.test(written)) return written;
  }
  throw new Error(`It ended without saying ${said}: ${written}`);
}

/** What `tieout sandbox` prints. */
export interface SandboxLine {
  readonly url: string;
  readonly api_key: string;
  readonly endpoint_url: string;
  readonly shared_key: string;
  readonly control_url: string;
  readonly counts: { subscriptions: number; webhooks: number; failed_webhooks: number; statements: number };
}

/** Runs `tieout sandbox` until it is cleared away. */
export async function sandbox(
  args: readonly string[],
  afterwards: Afterwards = onTestFinished,
): Promise<SandboxLine> {
  const child = start(['sandbox', ...args], { home: tmpdir() }, 0);
  const gone = once(child, 'exit');
  afterwards(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  child.stderr?.resume();
  return JSON.parse(await until(child.stdout!, /\n/)) as SandboxLine;
}

/** Connects a sandbox as the site `acme`; the key goes into the keychain where there is one. */
export async function connect({ home, key, keychain }: Surroundings, { url, api_key }: SandboxLine) {
  const given = { home, key: key ?? api_key, ...(keychain === undefined ? {} : { keychain }) };
  expect(await run(['site', 'add', '--name', 'Acme', '--url', url, '--quiet'], given)).toMatchObject({
    code: 0,
  });
}
