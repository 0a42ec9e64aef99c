import { expect, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/program.ts';
import type { ErrorDocument, Ran, Surroundings } from './run-tieout.ts';

/**
 * The command line in the test's own process: the same arguments, output and exit codes as of a child process, without its
 * start. One command at a time. What only a process shows (signals, pipes, the keychain taken away) is tested with `run`.
 */
export async function runInProcess(args: readonly string[], { home, key }: Surroundings): Promise<Ran> {
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

/** The document a command prints with --json, which must end with `code`. */
export async function runForDocument<Document>(
  args: readonly string[],
  surroundings: Surroundings,
  code = 0,
): Promise<Document> {
  const ran = await runInProcess([...args, '--json'], surroundings);
  expect(ran, ran.stderr).toMatchObject({ code });
  return JSON.parse(ran.stdout) as Document;
}

/** The error of a command that must fail with this code, and say so in a sentence. */
export async function runForError(
  args: readonly string[],
  surroundings: Surroundings,
  code: number,
): Promise<ErrorDocument['error']> {
  const ran = await runInProcess([...args, '--json', '--quiet'], surroundings);
  expect(ran, ran.stderr).toMatchObject({ code });
  const { error } = JSON.parse(ran.stdout) as ErrorDocument;
  expect(ran.stderr).toContain(error.message);
  return error;
}
