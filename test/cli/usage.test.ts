import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandGroups } from '../../src/cli/command-registry.ts';
import { runForError, runInProcess } from './run-in-process.ts';
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

  test.each([
    [['help', 'replay', 'plan', '--json']],
    [['replay', 'plan', '--help', '--json']],
    [['--json', 'replay', 'help', 'plan']],
  ])('is one JSON document with the declaration of the command: tieout %j', async (args) => {
    const { code, stdout } = await run(args, createEnvironment());
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      words: ['replay', 'plan'],
      usage: 'tieout replay plan [options]',
      options: expect.arrayContaining([
        expect.objectContaining({ flags: '--ids-file <file>', value: 'file' }),
      ]),
      commands: [],
    });
  });

  test('of the program as JSON lists every command', async () => {
    const { stdout } = await runInProcess(['--help', '--json'], createEnvironment());
    const { commands } = JSON.parse(stdout) as { commands: { words: string[] }[] };
    expect(commands.map(({ words }) => words.join(' '))).toEqual(
      Object.values(commandGroups).flatMap(Object.keys),
    );
  });

  test.each([
    [['help', 'statment'], /unknown command 'statment'.*statements/i],
    [['help', 'bank', 'imprt'], /unknown command 'imprt'.*import/i],
    [['period', 'clse', '--help'], /unknown command 'clse'.*close/i],
    [['archive', 'help', 'expotr'], /unknown command 'expotr'.*export/i],
    [['backup', 'help', 'nowhere'], /unknown command 'nowhere'|too many arguments/i],
  ])('of an unknown topic is wrong usage: tieout %j', async (args, message) => {
    expect((await runForError(args, createEnvironment(), 2)).message).toMatch(message);
  });

  test('a missing command with --json is an error document', async () => {
    expect(await runFailing(['archive'], createEnvironment(), 2)).toMatchObject({ code: 'validation' });
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
    ['an empty list of events', ['webhooks', 'list', '--event', ' , '], /event.*Expected a value/],
    ['a PDF without an output file', ['statements', 'pdf', '1'], /--output <file>/],
  ])('%s', async (_name, args, message) => {
    const error = await runFailing(args, createEnvironment(), 2);
    expect(error).toMatchObject({
      code: 'validation',
      hint: expect.stringMatching(/^For help, run: tieout .*--help$/),
    });
    expect(error.message).toMatch(message);
  });

  test.each([
    [['--home', '', 'status'], '--home must not be empty.'],
    [['status', '--site', ' '], '--site must not be empty.'],
    [['site', 'add', '--name', '', '--url', 'https://a.example.com'], '--name must not be empty.'],
    [['bank', 'import', 'a.csv', '--account', '\t'], '--account must not be empty.'],
    [['verify', ''], 'path must not be empty.'],
    [['statements', 'list', '--search', ''], '--search must not be empty.'],
  ])('an empty value: %j', async (args, message) => {
    expect(await runForError(args, createEnvironment(), 2)).toMatchObject({ message });
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
