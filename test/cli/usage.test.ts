import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandGroups } from '../../src/cli/command-registry.ts';
import { runInProcess } from './run-in-process.ts';
import { run, runFailing, temporaryFolder } from './run-tieout.ts';

const here = () => ({ home: temporaryFolder() });

describe('help', () => {
  test.each([[[]], [['--help']], [['help']]])(
    'tieout %j lists every command, in groups, with examples',
    async (args) => {
      const { code, stdout, stderr } = await run(args, here());
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const [group, commands] of Object.entries(commandGroups)) {
        expect(stdout).toContain(group);
        for (const name of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
      }
      expect(stdout).toContain('Examples:');
      expect(stdout).toContain('Exit codes:');
    },
  );

  test.each(Object.values(commandGroups).flatMap(Object.keys))(
    'tieout %s --help lists its options and the global ones',
    async (verb) => {
      const { code, stdout } = await run([verb, '--help'], here());
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: tieout ${verb}`);
      expect(stdout).toContain('--home <dir>');
    },
  );

  test('help for a subcommand is the same as --help', async () => {
    const help = await runInProcess(['help', 'webhooks', 'list'], here());
    expect(help).toEqual(await runInProcess(['webhooks', 'list', '--help'], here()));
    expect(help.stdout).toContain('Usage: tieout webhooks list');
  });

  test('--version prints the package version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'], here())).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('wrong usage exits with 2 and an error', () => {
  test.each([
    ['an unknown command', ['webhoks', 'list'], /webhoks.*webhooks/],
    ['an unknown subcommand', ['webhooks', 'lst'], /lst.*list/],
    ['an unknown option', ['webhooks', 'list', '--sttus', 'failed'], /--sttus.*--status/],
    ['a date that does not exist', ['webhooks', 'list', '--since', '2026-02-30'], /2026-02-30.*a date as/],
    ['an unknown status', ['webhooks', 'list', '--status', 'lost'], /lost.*successful, failed, pending/],
    ['a limit that is not a number', ['webhooks', 'list', '--limit', 'many'], /many.*an integer/],
    ['a limit of zero', ['statements', 'list', '--limit', '0'], /integer of at least 1/],
    ['an ID that is not a number', ['webhooks', 'show', '12x'], /12x.*an integer/],
    ['a missing ID', ['webhooks', 'show'], /missing required argument 'id'/i],
    ['an unknown part', ['sync', '--only', 'webhooks,cats'], /webhooks, statements, allocations, pdf/],
    ['a batch that is too large', ['replay', 'run', 'p', '--batch-size', '1001'], /from 1 to 1000/],
    ['a rate of zero', ['replay', 'run', 'p', '--rate', '0'], /above 0/],
    ['two formats', ['webhooks', 'list', '--csv', '--ndjson'], /cannot be used with/],
    ['too many arguments', ['webhooks', 'show', '1', '2'], /too many arguments/i],
    ['a PDF without an output file', ['statements', 'pdf', '1'], /--output <file>/],
  ])('%s', async (_name, args, message) => {
    const error = await runFailing(args, here(), 2);
    expect(error).toMatchObject({
      code: 'validation',
      hint: expect.stringMatching(/^For help, run: tieout .*--help$/),
    });
    expect(error.message).toMatch(message);
  });

  test('--csv for a command without a list', async () => {
    const ran = await run(['status', '--csv'], here());
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('--csv is available only for lists');
  });

  test('a command without a subcommand prints its help', async () => {
    const { code, stderr } = await run(['webhooks'], here());
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: tieout webhooks');
  });
});
