import type { Command } from 'commander';
import { redactError, toErrorValue, usageError } from '../errors/cli-error.ts';
import { type ExitCode, exitCodes, toExitCode } from '../errors/exit-codes.ts';
import { type CommandOutput, createOutput, type OutputFormat } from '../output/output.ts';
import type { CommandEnvironment, GlobalOptions } from './environment.ts';
import { type InterruptHandler, listenForInterrupt } from './interrupt-handler.ts';
import type { AppSession } from './session.ts';

/** The objects that a command's action uses. */
export interface CommandContext {
  readonly flags: GlobalOptions;
  readonly environment: CommandEnvironment;
  readonly output: CommandOutput;
  /** Handler of Ctrl-C, whose signal aborts the command. */
  readonly interrupt: InterruptHandler;
  /** Session with the data of the home. It is closed after the action. */
  readonly session: AppSession;
}

type Action<Args extends unknown[]> = (
  cli: CommandContext,
  ...args: Args
) => Promise<ExitCode | undefined> | Promise<void>;
type CommanderAction<Args extends unknown[]> = (...args: [...Args, Command]) => Promise<void>;

/** Wraps a command's action for commander: creates the action's context, prints its errors and sets the exit code. */
export interface HandlerFactory {
  <Args extends unknown[]>(action: Action<Args>): CommanderAction<Args>;
  /** Wraps an action whose result is a list. Such commands support `--csv`. */
  list<Args extends unknown[]>(action: Action<Args>): CommanderAction<Args>;
}

/** Adds options, subcommands and actions to a command. */
export type DefineCommand = (command: Command, handle: HandlerFactory) => void;

export function createHandlerFactory(
  environment: CommandEnvironment,
  setExitCode: (code: ExitCode) => void,
): HandlerFactory {
  const wrap =
    <Args extends unknown[]>(action: Action<Args>, supportsCsv: boolean): CommanderAction<Args> =>
    async (...values) => {
      const command = values.pop() as Command;
      const flags = command.optsWithGlobals<GlobalOptions>();
      const run = (cli: CommandContext) => action(cli, ...(values as unknown as Args));
      setExitCode(await runAction(environment, flags, supportsCsv, run));
    };
  return Object.assign(<Args extends unknown[]>(action: Action<Args>) => wrap(action, false), {
    list: <Args extends unknown[]>(action: Action<Args>) => wrap(action, true),
  });
}

async function runAction(
  environment: CommandEnvironment,
  flags: GlobalOptions,
  supportsCsv: boolean,
  action: Action<[]>,
): Promise<ExitCode> {
  const output = createOutput(toFormat(flags), flags.quiet === true);
  const interrupt = listenForInterrupt((message) =>
    output.error({ code: 'canceled', message, retryable: true }),
  );
  const { openSession } = await import('./session.ts');
  const session = openSession(environment, flags);
  try {
    if (output.format === 'csv' && !supportsCsv) {
      throw usageError('--csv is available only for lists.', 'Use --json.');
    }
    const code = (await action({ flags, environment, output, interrupt, session })) ?? exitCodes.success;
    return interrupt.signal.aborted ? interrupt.report() : code;
  } catch (error) {
    if (interrupt.signal.aborted) return interrupt.report();
    const value = redactError(await toErrorValue(error), session.redact);
    output.error(value);
    if (flags.debug && error instanceof Error)
      process.stderr.write(`${session.redact(String(error.stack))}\n`);
    return toExitCode(value);
  } finally {
    // Closing fails if opening failed, and that error has already been reported.
    await session.close().catch(() => undefined);
    interrupt.dispose();
  }
}

function toFormat({ json, ndjson, csv }: GlobalOptions): OutputFormat {
  if (json) return 'json';
  if (ndjson) return 'ndjson';
  return csv ? 'csv' : 'table';
}
