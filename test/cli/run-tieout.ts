import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished } from 'vitest';

/** The built command, which starts in half the time of its source. It runs with a separate data directory. */
export const CLI_ENTRY = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url));

export interface CommandEnvironment {
  readonly home: string;
  /** Value of TIEOUT_API_KEY. If undefined, the command can use only the keychain. */
  readonly key?: string | undefined;
  /** If false, the keychain is not available to the command (on Linux, by hiding the session bus). */
  readonly keychain?: boolean;
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Registers a cleanup function. */
export type RegisterCleanup = (clear: () => void | Promise<void>) => void;

/** Registers cleanup after the last test of a file. Must be called at the top level of the file. */
export function cleanUpAfterFile(): RegisterCleanup {
  const clears: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const clear of clears.toReversed()) await clear();
  });
  return (clear) => void clears.push(clear);
}

/** Creates a folder that is deleted after the test. */
export function temporaryFolder(afterwards: RegisterCleanup = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-cli-'));
  afterwards(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Time limit in milliseconds after which a command is killed. */
const COMMAND_TIMEOUT_MS = 90_000;

/** Starts a command without waiting for it. */
export function startCommand(
  args: readonly string[],
  { home, key, keychain = true }: CommandEnvironment,
  timeout: number | undefined = COMMAND_TIMEOUT_MS,
): ChildProcess {
  const { TIEOUT_HOME: _home, TIEOUT_API_KEY: _key, NODE_OPTIONS: _options, ...inherited } = process.env;
  const env: NodeJS.ProcessEnv = { ...inherited, TIEOUT_HOME: home, NO_COLOR: '1' };
  if (key !== undefined) env['TIEOUT_API_KEY'] = key;
  if (!keychain) env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent';
  return spawn(process.execPath, [CLI_ENTRY, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
}

/**
 * Waits for a started command to end. Call it before anything that may end the command, because later listeners would
 * miss its output and exit event.
 */
export async function waitForExit(child: ChildProcess): Promise<CommandResult> {
  // A command may end before it has read its input.
  child.stdin?.on('error', () => undefined).end();
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Waits for a command to exit without reading its stdout. */
export async function waitForQuietExit(child: ChildProcess): Promise<Pick<CommandResult, 'code' | 'stderr'>> {
  const [stderr, [code]] = await Promise.all([
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stderr };
}

/** Runs a command until it exits. */
export function run(
  args: readonly string[],
  surroundings: CommandEnvironment,
  input = '',
): Promise<CommandResult> {
  const child = startCommand(args, surroundings);
  if (input) child.stdin?.write(input);
  return waitForExit(child);
}

/** Runs a command with --json, expects the exit code and exactly one document, and returns it. */
export async function runJson<Document>(
  args: readonly string[],
  surroundings: CommandEnvironment,
  code = 0,
): Promise<Document> {
  const ran = await run([...args, '--json'], surroundings);
  expect(ran, ran.stderr).toMatchObject({ code });
  return JSON.parse(ran.stdout) as Document;
}

/** JSON document that a failed command prints. */
export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    readonly detail: Record<string, unknown>;
  };
}

/** Runs a command that must fail with this exit code, checks the error output and returns the error. */
export async function runFailing(
  args: readonly string[],
  surroundings: CommandEnvironment,
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

/** Resolves with the output so far once it matches the pattern. */
export async function waitForOutput(stream: Readable, pattern: RegExp): Promise<string> {
  let written = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    written += chunk.toString();
    if (pattern.test(written)) return written;
  }
  throw new Error(`The output does not match ${pattern}: ${written}`);
}

/** JSON line that `tieout sandbox` prints. */
export interface SandboxLine {
  readonly url: string;
  readonly api_key: string;
  readonly endpoint_url: string;
  readonly shared_key: string;
  readonly control_url: string;
  readonly counts: { subscriptions: number; webhooks: number; failed_webhooks: number; statements: number };
}

/** Runs `tieout sandbox` until the cleanup. */
export async function startSandboxCommand(
  args: readonly string[],
  afterwards: RegisterCleanup = onTestFinished,
): Promise<SandboxLine> {
  const child = startCommand(['sandbox', ...args], { home: tmpdir() }, 0);
  const gone = once(child, 'exit');
  afterwards(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  child.stderr?.resume();
  return JSON.parse(await waitForOutput(child.stdout!, /\n/)) as SandboxLine;
}

/** Adds a sandbox as the site `acme`, and stores its key in the keychain if one is available. */
export async function connectSandbox(
  { home, key, keychain }: CommandEnvironment,
  { url, api_key }: SandboxLine,
) {
  const given = { home, key: key ?? api_key, ...(keychain === undefined ? {} : { keychain }) };
  expect(await run(['site', 'add', '--name', 'Acme', '--url', url, '--quiet'], given)).toMatchObject({
    code: 0,
  });
}
