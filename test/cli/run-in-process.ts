import { expect, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import type { CommandEnvironment, CommandResult, ErrorDocument } from './run-tieout.ts';

/**
 * Runs one command in the test’s process, without starting a child process. Use `run` to test signals, pipes or a missing
 * keychain.
 */
export async function runInProcess(
  args: readonly string[],
  { home, key }: CommandEnvironment,
): Promise<CommandResult> {
  const { TIEOUT_API_KEY: _key, ...inherited } = process.env;
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += chunk.toString();
      return true;
    }),
  );
  try {
    const env = { ...inherited, TIEOUT_HOME: home, NO_COLOR: '1' };
    const code = await runCommandLine(args, { env, apiKey: key });
    return { code, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs a command with --json, expects the exit code and returns the document. */
export async function runForDocument<Document>(
  args: readonly string[],
  surroundings: CommandEnvironment,
  code = 0,
): Promise<Document> {
  const ran = await runInProcess([...args, '--json'], surroundings);
  expect(ran, ran.stderr).toMatchObject({ code });
  return JSON.parse(ran.stdout) as Document;
}

/** Runs a command that must fail with this exit code and returns its error. */
export async function runForError(
  args: readonly string[],
  surroundings: CommandEnvironment,
  code: number,
): Promise<ErrorDocument['error']> {
  const ran = await runInProcess([...args, '--json', '--quiet'], surroundings);
  expect(ran, ran.stderr).toMatchObject({ code });
  const { error } = JSON.parse(ran.stdout) as ErrorDocument;
  expect(ran.stderr).toContain(error.message);
  return error;
}
