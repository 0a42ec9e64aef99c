import type { Command } from 'commander';
import type { SiteFile } from '../host/glance.ts';
import { type Exit, exit, exitOf } from './exit.ts';
import { errorValueOf, redacted, wrongUsage } from './failure.ts';
import { listenForStop, type Stop } from './interrupt.ts';
import { createOutput, type Format, type Output } from './output/output.ts';
import type { Session } from './session.ts';

/** What the process was started with besides its arguments. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly apiKey: string | undefined;
}

export interface Flags {
  readonly home?: string;
  readonly site?: string;
  readonly json?: true;
  readonly ndjson?: true;
  readonly csv?: true;
  readonly quiet?: true;
  readonly debug?: true;
}

/** A site as it is kept; whether there is a key for it only the keychain knows. */
export type Site = SiteFile;

/** What an action works with. */
export interface Cli {
  readonly flags: Flags;
  readonly environment: Environment;
  readonly out: Output;
  /** Aborted by Ctrl-C. */
  readonly stop: Stop;
  /** The data of this home; what it opens is closed after the action. */
  readonly session: Session;
}

type Action<Args extends unknown[]> = (cli: Cli, ...args: Args) => Promise<Exit | undefined>;
type Bound<Args extends unknown[]> = (...args: [...Args, Command]) => Promise<void>;

/** Binds an action to a commander command. */
export interface Act {
  <Args extends unknown[]>(action: Action<Args>): Bound<Args>;
  /** An action whose result is a list, which can be CSV. */
  list<Args extends unknown[]>(action: Action<Args>): Bound<Args>;
}

export function createAct(environment: Environment, ended: (code: Exit) => void): Act {
  const bind =
    <Args extends unknown[]>(action: Action<Args>, lists: boolean): Bound<Args> =>
    async (...given) => {
      const command = given.pop() as Command;
      const flags = command.optsWithGlobals<Flags>();
      ended(await perform(environment, flags, lists, (cli) => action(cli, ...(given as unknown as Args))));
    };
  return Object.assign(<Args extends unknown[]>(action: Action<Args>) => bind(action, false), {
    list: <Args extends unknown[]>(action: Action<Args>) => bind(action, true),
  });
}

async function perform(
  environment: Environment,
  flags: Flags,
  lists: boolean,
  action: (cli: Cli) => Promise<Exit | undefined>,
): Promise<Exit> {
  const out = createOutput(formatOf(flags), flags.quiet === true);
  const stop = listenForStop((message) => out.fail({ code: 'cancelled', message, retryable: true }));
  const { openSession } = await import('./session.ts');
  const session = openSession(environment, flags);
  const cli: Cli = { flags, environment, out, stop, session };
  try {
    if (out.format === 'csv' && !lists) {
      throw wrongUsage('--csv is for lists, and this is not one.', 'Use --json.');
    }
    const code = (await action(cli)) ?? exit.done;
    return stop.signal.aborted ? stop.said() : code;
  } catch (error) {
    if (stop.signal.aborted) return stop.said();
    const value = redacted(await errorValueOf(error), session.redact);
    out.fail(value);
    if (flags.debug && error instanceof Error)
      process.stderr.write(`${session.redact(String(error.stack))}\n`);
    return exitOf(value);
  } finally {
    // What could not be opened cannot be closed either; why was said above.
    await session.close().catch(() => undefined);
    stop.end();
  }
}

function formatOf({ json, ndjson, csv }: Flags): Format {
  if (json) return 'json';
  if (ndjson) return 'ndjson';
  return csv ? 'csv' : 'table';
}
