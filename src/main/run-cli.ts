/** Switch that the packaged app's `tieout` script sets before the command-line arguments. */
const CLI_SWITCH = '--cli';

/** Returns the command-line arguments, or null if the app must open its window instead of running a command. */
export function findCliArguments(argv: readonly string[]): readonly string[] | null {
  const position = argv.indexOf(CLI_SWITCH);
  return position === -1 ? null : argv.slice(position + 1);
}

/**
 * Runs the command line in this process. The packaged app cannot run as plain Node, because any program could then use
 * its identity.
 */
export async function runCli(args: readonly string[]): Promise<void> {
  process.argv = [process.execPath, 'tieout', ...args];
  await import(new URL('./cli.js', import.meta.url).href);
}
