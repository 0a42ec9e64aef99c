import { Command, type HelpContext, Option } from 'commander';
import { type CommandDescription, describeCommand, getCommandWords } from '../command-description.ts';
import { createUsageError, redactError, toCliErrorValue } from '../errors/cli-error.ts';
import { type ExitCode, exitCodes, getErrorExitCode } from '../errors/exit-codes.ts';
import { createIntegerParser, type SortDirection } from '../input/options.ts';
import { CommandOutput, type OutputFormat } from '../output/command-output.ts';
import type { AppSession, CommandEnvironment, GlobalOptions, SiteSession } from './app-session.ts';
import { InterruptHandler } from './interrupt-handler.ts';

/** Objects available to the action of every command. */
export interface CommandContext {
  readonly flags: GlobalOptions;
  readonly environment: CommandEnvironment;
  readonly output: CommandOutput;
  /** Describes the program with all commands. */
  readonly describeProgram: () => Promise<CommandDescription>;
  /** Handles Ctrl-C. Its signal aborts the command. */
  readonly interrupt: InterruptHandler;
  /** Session with the data of the home, closed after the action. */
  readonly session: AppSession;
}

/** Objects available to the action of a command that works on one site. */
export interface SiteContext extends CommandContext, SiteSession {}

type Action<Context, Args extends unknown[]> = (
  context: Context,
  ...args: Args
) => Promise<ExitCode | undefined> | Promise<void>;

type RunAction = (
  flags: GlobalOptions,
  supportsCsv: boolean,
  action: (cli: CommandContext) => Promise<ExitCode>,
) => Promise<void>;

/** Adds options, subcommands and an action to a command. */
export type DefineCommand = (command: CliCommand) => void;

/** A command whose action receives a context. Prints errors of the action and sets the exit code. */
export class CliCommand extends Command {
  readonly #runAction: RunAction;

  constructor(name: string | undefined, runAction: RunAction) {
    super(name);
    this.#runAction = runAction;
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.#runAction);
  }

  subcommand(name: string, description: string): CliCommand {
    return this.command(name).description(description);
  }

  /** Prints the help as text, or with --json the declaration of the command. */
  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const format = toFormat(this.optsWithGlobals<GlobalOptions>());
    const isJson = format === 'json' || format === 'ndjson';
    if (typeof context === 'function') super.outputHelp(context);
    else if (!isJson) super.outputHelp(context);
    // With --json, a missing subcommand is reported as an error document instead.
    else if (context?.error !== true)
      void new CommandOutput(format, false).document(describeCommand(this, getCommandWords(this)), () => []);
  }

  /** Adds options that several commands share. */
  with(addOptions: (command: CliCommand) => void): this {
    addOptions(this);
    return this;
  }

  /** Adds an option with a fixed list of values. */
  choiceOption(flags: string, description: string, values: readonly string[], value?: string): this {
    return this.addOption(new Option(flags, description).choices(values).default(value));
  }

  /** Adds the options for paging through a list. */
  pageOptions(): this {
    return this.option('--limit <n>', 'maximum number of rows (default: 100)', createIntegerParser(1))
      .option('--after <cursor>', 'start after this cursor, as printed below the previous page')
      .addOption(new Option('--all', 'list all rows').conflicts('limit'));
  }

  /** Adds the options for sorting a list. The first field is the default sort field. */
  sortOptions(fields: readonly [string, ...string[]], direction: SortDirection): this {
    return this.choiceOption('--sort <field>', 'field to sort by', fields, fields[0]).choiceOption(
      '--direction <direction>',
      'sort order',
      ['asc', 'desc'],
      direction,
    );
  }

  reasonOption({ isRequired = true } = {}): this {
    const option = new Option('--reason <text>', 'reason for the audit log');
    return this.addOption(option.makeOptionMandatory(isRequired));
  }

  /** Sets an action that selects its own site or needs no site. */
  run<Args extends unknown[]>(action: Action<CommandContext, Args>): this {
    return this.#setAction(async (cli) => cli, action);
  }

  /** Sets an action like `run`, but for a list, which supports `--csv`. */
  runList<Args extends unknown[]>(action: Action<CommandContext, Args>): this {
    return this.#setAction(async (cli) => cli, action, true);
  }

  /** Sets an action for the selected site. */
  runOnSite<Args extends unknown[]>(action: Action<SiteContext, Args>): this {
    return this.#setAction(openSite, action);
  }

  /** Sets an action like `runOnSite`, but for a list, which supports `--csv`. */
  listOnSite<Args extends unknown[]>(action: Action<SiteContext, Args>): this {
    return this.#setAction(openSite, action, true);
  }

  /** Sets an action for the selected site, connected to the billing service. */
  runConnected<Args extends unknown[]>(action: Action<SiteContext, Args>): this {
    return this.#setAction(connectSite, action);
  }

  #setAction<Context, Args extends unknown[]>(
    open: (cli: CommandContext) => Promise<Context>,
    action: Action<Context, Args>,
    supportsCsv = false,
  ): this {
    return this.action(async (...values: unknown[]) => {
      const command = values.pop() as Command;
      const flags = command.optsWithGlobals<GlobalOptions>();
      await this.#runAction(flags, supportsCsv, async (cli) => {
        assertNoBlankInput(command);
        return (await action(await open(cli), ...(values as Args))) ?? exitCodes.success;
      });
    });
  }
}

/** Throws `validation` if an argument or option value is blank, for example because a script's variable is unset. */
function assertNoBlankInput(command: Command): void {
  const values = command.optsWithGlobals<Record<string, unknown>>();
  const options = [...command.options, ...getProgram(command).options];
  const blank =
    options.find((option) => isBlank(values[option.attributeName()]))?.long ??
    command.registeredArguments.find((_, index) => isBlank(command.args[index]))?.name();
  if (blank !== undefined) throw createUsageError(`${blank} must not be empty.`);
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

const getProgram = (command: Command): Command => (command.parent ? getProgram(command.parent) : command);

/** Opens the named site. Without a name, opens the selected site. */
export const openSite = async (cli: CommandContext, name?: string): Promise<SiteContext> => ({
  ...cli,
  ...(await cli.session.openSite(name)),
});

/** Opens the named site for calls to the billing service. Without a name, opens the selected site. */
export const connectSite = async (cli: CommandContext, name?: string): Promise<SiteContext> => ({
  ...cli,
  ...(await cli.session.connectSite(name)),
});

/** Creates a function that runs the action of a command and reports its exit code. */
export function createActionRunner(
  { environment, describeProgram }: Pick<CommandContext, 'environment' | 'describeProgram'>,
  setExitCode: (code: ExitCode) => void,
): RunAction {
  return async (flags, supportsCsv, action) => {
    const output = new CommandOutput(toFormat(flags), flags.quiet === true);
    const interrupt = new InterruptHandler((message) =>
      output.error({ code: 'canceled', message, retryable: true }),
    );
    const { AppSession } = await import('./app-session.ts');
    const session = new AppSession(environment, flags);
    try {
      if (output.format === 'csv' && !supportsCsv) {
        throw createUsageError('--csv is available only for lists.', 'Use --json.');
      }
      const code = await action({ flags, environment, output, describeProgram, interrupt, session });
      setExitCode(interrupt.signal.aborted ? interrupt.report() : code);
    } catch (error) {
      if (interrupt.signal.aborted) return setExitCode(interrupt.report());
      const value = redactError(await toCliErrorValue(error), session.redact);
      output.error(value);
      if (flags.debug && error instanceof Error)
        process.stderr.write(`${session.redact(String(error.stack))}\n`);
      setExitCode(getErrorExitCode(value));
    } finally {
      // Ignores the error, because it repeats an opening error that has already been reported.
      await session.close().catch(() => undefined);
      interrupt.dispose();
    }
  };
}

function toFormat({ json, ndjson, csv }: GlobalOptions): OutputFormat {
  if (json) return 'json';
  if (ndjson) return 'ndjson';
  return csv ? 'csv' : 'table';
}
