import { Command, CommanderError, Option } from 'commander';
import { createAct, type Environment } from './act.ts';
import { exit, exitOf } from './exit.ts';
import { errorValueOf, wrongUsage } from './failure.ts';
import { createOutput } from './output/output.ts';
import { verbs } from './verbs.ts';
import { version } from './version.ts';

const examples = `
Examples:
  tieout demo                                     look around, with made-up data
  tieout site add --name "Acme" --url https://acme.example.com
  tieout sync                                     fetch what is new
  tieout webhooks list --status failed --since 2026-10-01
  tieout replay plan --status failed              choose what to send again; sends nothing
  tieout statements pdf 1234 -o statement.pdf

The key of a site is kept in the system's keychain. Where there is none, it is read from TIEOUT_API_KEY.
Exit codes: 0 done, 1 done and something was found, 2 wrong usage or refused as it stands, 3 credentials,
4 service or network, 5 local data or disk, 130 interrupted (what was stored is kept).`;

/** Runs the command line; gives the exit code. */
export async function main(argv: readonly string[], environment: Environment): Promise<number> {
  let code: number = exit.done;
  const program = rootCommand();
  try {
    const { operands } = program.parseOptions([...argv]);
    const typed = operands[0] === 'help' ? operands[1] : operands[0];
    for (const verb of verbs) {
      const command = program.command(verb.name).description(sentence(verb.summary)).helpGroup(verb.group);
      command.summary(verb.summary);
      if (verb.name !== typed) continue;
      const { define } = await verb.load();
      define(
        command,
        createAct(environment, (ended) => {
          code = ended;
        }),
      );
    }
    if (operands.length === 0) program.outputHelp();
    else await program.parseAsync(helpAsked(operands) ?? [...argv], { from: 'user' });
    return code;
  } catch (error) {
    const format = argv.includes('--json') ? 'json' : argv.includes('--ndjson') ? 'ndjson' : 'table';
    if (!(error instanceof CommanderError)) {
      const value = await errorValueOf(error);
      createOutput(format, false).fail(value);
      return exitOf(value);
    }
    if (error.exitCode === 0) return exit.done;
    if (error.code === 'commander.help') return exit.usage;
    const words = commandWords(program, argv);
    const message = sentence(error.message.replace(/^error: /, ''));
    createOutput(format, false).fail(wrongUsage(message, `See: ${words} --help`).value);
    return exit.usage;
  }
}

/** `help webhooks list` asks what `webhooks list --help` does: commander's own help goes no deeper than one word. */
function helpAsked([first, ...words]: readonly string[]): string[] | null {
  return first === 'help' && words.length > 1 ? [...words, '--help'] : null;
}

function rootCommand(): Command {
  return new Command('tieout')
    .description(
      'Keeps a local copy of your billing service: sync it, browse it offline, prove it, replay what was missed.',
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'help for any command')
    .helpCommand('help [command]', 'help for a command')
    .addOption(new Option('--home <dir>', 'data directory (or TIEOUT_HOME)'))
    .addOption(new Option('--site <name>', 'which site, where there is more than one'))
    .addOption(new Option('--json', 'print one JSON document').conflicts(['ndjson', 'csv']))
    .addOption(new Option('--ndjson', 'print a JSON row a line').conflicts(['json', 'csv']))
    .addOption(new Option('--csv', 'print a list as CSV').conflicts(['json', 'ndjson']))
    .option('--quiet', 'no progress and no remarks')
    .option('--debug', 'print the stack of an error')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ outputError() {} })
    .exitOverride()
    .addHelpText('after', examples);
}

/** The words typed that name commands: `tieout webhooks list`. */
function commandWords(program: Command, argv: readonly string[]): string {
  let command = program;
  const words = ['tieout'];
  for (const word of argv) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) continue;
    command = next;
    words.push(word);
  }
  return words.join(' ');
}

function sentence(text: string): string {
  const flat = text.trim().replace(/\s*\n\s*/g, ' ');
  return `${flat.charAt(0).toUpperCase()}${flat.slice(1)}${/[.?!)]$/.test(flat) ? '' : '.'}`;
}
