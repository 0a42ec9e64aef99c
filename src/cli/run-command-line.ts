import { type Command, CommanderError, Option } from 'commander';
import { capitalize } from '../domain/text/capitalize.ts';
import { type CommandDescription, describeCommand } from './command-description.ts';
import { commandGroups } from './command-registry.ts';
import { createUsageError, toCliErrorValue } from './errors/cli-error.ts';
import { exitCodes, getErrorExitCode } from './errors/exit-codes.ts';
import { CommandOutput } from './output/command-output.ts';
import { readAppVersion } from './runtime/app-paths.ts';
import type { CommandEnvironment } from './runtime/app-session.ts';
import { CliCommand, createActionRunner } from './runtime/cli-command.ts';

const examples = `
Examples:
  tieout demo                                     explore the app with sample data
  tieout site add --name "Acme" --url https://acme.example.com
  tieout sync                                     download new and changed records
  tieout webhooks list --status failed --since 2026-10-01
  tieout replay plan --status failed              select webhooks to resend (sends nothing)
  tieout statements pdf 1234 -o statement.pdf

API keys are stored in the system keychain. If the keychain has no key, TIEOUT_API_KEY is used.
Exit codes: 0 success, 1 completed with findings, 2 wrong usage or not allowed, 3 credentials,
4 service or network, 5 local data or disk, 130 interrupted (stored data is kept).`;

/** Runs a command line and returns the exit code. */
export async function runCommandLine(
  argv: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  let code: number = exitCodes.success;
  const runAction = createActionRunner({ environment, describeProgram: listProgramCommands }, (exitCode) => {
    code = exitCode;
  });
  const program = addGlobalOptions(new CliCommand('tieout', runAction));
  try {
    const { operands, unknown } = program.parseOptions([...argv]);
    const entered = operands.find((word) => word !== 'help');
    await addCommands(program, (name) => name === entered);
    const isHelp = unknown.includes('--help') || unknown.includes('-h');
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(toHelpRequest(program, operands, isHelp) ?? [...argv], { from: 'user' });
    return code;
  } catch (error) {
    return await reportError(error, program, argv);
  }
}

/** Describes the program with the declarations of all its commands. */
export async function listProgramCommands(): Promise<CommandDescription> {
  const program = addGlobalOptions(new CliCommand('tieout', async () => undefined));
  await addCommands(program, () => true);
  return describeCommand(program);
}

/** Adds all commands to the program. Loads options and subcommands only for the commands that `isNeeded` accepts. */
async function addCommands(program: CliCommand, isNeeded: (name: string) => boolean): Promise<void> {
  for (const [group, commands] of Object.entries(commandGroups)) {
    for (const [name, { summary, load }] of Object.entries(commands)) {
      const command = program.subcommand(name, capitalize(summary)).helpGroup(group).summary(summary);
      if (isNeeded(name)) (await load())(command);
    }
  }
}

async function reportError(error: unknown, program: Command, argv: readonly string[]): Promise<number> {
  const format = argv.includes('--json') ? 'json' : argv.includes('--ndjson') ? 'ndjson' : 'table';
  if (!(error instanceof CommanderError)) {
    const value = await toCliErrorValue(error);
    new CommandOutput(format, false).error(value);
    return getErrorExitCode(value);
  }
  if (error.exitCode === 0) return exitCodes.success;
  const isIncomplete = error.code === 'commander.help';
  if (isIncomplete && format === 'table') return exitCodes.usage;
  const message = isIncomplete ? 'A command is required.' : toSentence(error.message.replace(/^error: /, ''));
  const hint = `For help, run: ${enteredCommand(program, argv)} --help`;
  new CommandOutput(format, false).error(createUsageError(message, hint).value);
  return exitCodes.usage;
}

/**
 * Converts a request for help, for example `help webhooks list` or `webhooks help list`, to `webhooks list --help`.
 * Returns an unknown topic without `--help`, so that it is reported as an unknown command. Null if no help is
 * requested.
 */
function toHelpRequest(program: Command, operands: readonly string[], isHelp: boolean): string[] | null {
  const topic: string[] = [];
  let command = program;
  for (const word of operands) {
    // Operands after a command without subcommands are its arguments.
    if (command.commands.length === 0) break;
    if (word === 'help') {
      isHelp = true;
      continue;
    }
    topic.push(word);
    const next = command.commands.find((subcommand) => subcommand.name() === word);
    if (next === undefined) return isHelp ? topic : null;
    command = next;
  }
  return isHelp ? [...topic, '--help'] : null;
}

function addGlobalOptions(program: CliCommand): CliCommand {
  return program
    .description(
      'Sync, check and reconcile the records of your billing service, offline and on your own computer',
    )
    .version(readAppVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .helpCommand('help [command]', 'show help for a command')
    .addOption(new Option('--home <dir>', 'data directory (or TIEOUT_HOME)'))
    .addOption(new Option('--site <name>', 'site to use (required if there are several)'))
    .addOption(new Option('--json', 'print one JSON document').conflicts(['ndjson', 'csv']))
    .addOption(new Option('--ndjson', 'print one JSON object per line').conflicts(['json', 'csv']))
    .addOption(new Option('--csv', 'print a list as CSV').conflicts(['json', 'ndjson']))
    .option('--quiet', 'hide progress and notices')
    .option('--debug', 'print the stack trace of an error')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ outputError() {} })
    .exitOverride()
    .addHelpText('after', examples);
}

/** Returns the entered command without its options, for example `tieout webhooks list`. */
function enteredCommand(program: Command, argv: readonly string[]): string {
  let command = program;
  const words = ['tieout'];
  for (const word of argv) {
    const next = command.commands.find((subcommand) => subcommand.name() === word);
    if (next === undefined) continue;
    command = next;
    words.push(word);
  }
  return words.join(' ');
}

function toSentence(text: string): string {
  const line = capitalize(text.trim().replace(/\s*\n\s*/g, ' '));
  return /[.?!)]$/.test(line) ? line : `${line}.`;
}
