import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandGroups } from '../../src/cli/command-registry.ts';
import { runInProcess } from './run-in-process.ts';
import { run, runFailing, temporaryFolder } from './run-tieout.ts';

const createEnvironment = () => ({ home: temporaryFolder() });

describe('command-line help', () => {
  test.each([[[]], [['--help']], [['help']]])(
    'lists every command in groups and with examples: tieout %j',
    async (args) => {
      const { code, stdout, stderr } = await run(args, createEnvironment());
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
    'lists the options of the command and the global ones: tieout %s --help',
    async (verb) => {
      const { code, stdout } = await run([verb, '--help'], createEnvironment());
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: tieout ${verb}`);
      expect(stdout).toContain('--home <dir>');
    },
  );

  test('is the same from help and --help for a subcommand', async () => {
    const help = await runInProcess(['help', 'webhooks', 'list'], createEnvironment());
    expect(help).toEqual(await runInProcess(['webhooks', 'list', '--help'], createEnvironment()));
    expect(help.stdout).toContain('Usage: tieout webhooks list');
  });

  test('includes --version, which prints the package version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'], createEnvironment())).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });
});

type UsageCase = [name: string, args: string[], message: RegExp];

describe('exit code 2 is used for', () => {
  test.each<UsageCase>([
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
    ...['0.5', '-2', '30000000000000000000', 'NaN', '', ' 7 ', '2e3'].map(
      (quantity): UsageCase => [
        `the quantity ${JSON.stringify(quantity)}`,
        ['allocations', 'create', '--subscription', '1', '--component', '2', '--quantity', quantity],
        /quantity.*Expected an integer/,
      ],
    ),
    [
      'a quantity in a list that is not a whole number',
      ['allocations', 'create-many', '--subscription', '1', '--set', '2=3.5'],
      /2=3\.5.*Expected an integer/,
    ],
    [
      'an unknown proration scheme',
      [
        'allocations',
        'create',
        '--subscription',
        '1',
        '--component',
        '2',
        '--quantity',
        '3',
        '--upgrade',
        'soon',
      ],
      /soon.*prorate-delay-capture, prorate-attempt-capture, no-prorate/,
    ],
    ['a PDF without an output file', ['statements', 'pdf', '1'], /--output <file>/],
  ])('%s', async (_name, args, message) => {
    const error = await runFailing(args, createEnvironment(), 2);
    expect(error).toMatchObject({
      code: 'validation',
      hint: expect.stringMatching(/^For help, run: tieout .*--help$/),
    });
    expect(error.message).toMatch(message);
  });

  test('--csv with a command that prints no list', async () => {
    const ran = await run(['status', '--csv'], createEnvironment());
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('--csv is available only for lists');
  });

  test('a command without a subcommand, which prints its help', async () => {
    const { code, stderr } = await run(['webhooks'], createEnvironment());
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: tieout webhooks');
  });
});

test.each([['--jsno', 'status'], ['--hom', '/tmp/x', 'sync'], ['--quite'], ['-x', 'webhooks', 'list']])(
  'a mistyped option before the command is wrong usage: %s %s',
  async (...args) => {
    const { code, stdout, stderr } = await run(args, createEnvironment());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`unknown option '${args[0]}'`, 'i'));
  },
);
