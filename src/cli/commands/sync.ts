import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../contract/contract.ts';
import type { ErrorValue } from '../../contract/errors.ts';
import type { SyncPart, SyncRun } from '../../contract/sync.ts';
import type { Cli } from '../act.ts';
import { type Exit, exit } from '../exit.ts';
import { errorValueOf, failureOf, sentenceOf, wrongUsage } from '../failure.ts';
import { followJob } from '../follow.ts';
import { date, given, someOf, whole } from '../input/options.ts';
import { count, counted, size, span } from '../output/figures.ts';
import { printable } from '../output/text.ts';
import type { Define } from '../verbs.ts';

const parts = ['webhooks', 'statements', 'allocations', 'pdf'] as const satisfies readonly SyncPart[];

interface SyncOptions {
  readonly only?: SyncPart[];
  readonly full?: true;
  readonly since?: string;
  readonly watch?: true;
  readonly every: number;
}

export const define: Define = (command, act) => {
  command
    .option('--only <parts>', `only these, comma-separated: ${parts.join(', ')}`, someOf(parts))
    .option('--full', 'read everything again and compare')
    .option('--since <day>', 'on a first sync: webhooks from this day on only', date)
    .option('--watch', 'go on syncing until Ctrl-C')
    .option('--every <minutes>', 'with --watch: minutes between two syncs', whole(1, 1440), 15)
    .addHelpText(
      'after',
      '\nThe PDFs of statements are fetched with --only pdf; without --only they are left out.',
    )
    .action(
      act(async (cli, options: SyncOptions) => {
        if (options.watch && cli.out.format === 'json') {
          throw wrongUsage(
            '--watch gives a document for every sync, and --json is one document.',
            'Use --ndjson.',
          );
        }
        const { client, site } = await cli.session.remote();
        cli.stop.onStop('Stopped; what was fetched is kept. Run the same command to go on.');
        return options.watch ? watch(cli, client, site, options) : once(cli, client, site, options);
      }),
    );
};

async function once(cli: Cli, client: Client, site: string, options: SyncOptions): Promise<Exit> {
  const { only, full, since } = options;
  const { job } = await client.sync.start({
    site,
    full: full === true,
    ...given({ only, since }),
  });
  const { error, state } = await followJob(cli, client, { site, job });
  if (cli.stop.signal.aborted) return exit.interrupted;
  if (error !== null) throw failureOf(error);
  const run = await client.sync.run({ site, job });
  await cli.out.document(run, () => report(run));
  return state === 'done' && run.complete && run.problems.length === 0 ? exit.done : exit.found;
}

/** Syncs again and again. A failure lengthens the pause, doubling up to an hour, and is said; a refused key ends it. */
async function watch(cli: Cli, client: Client, site: string, options: SyncOptions): Promise<Exit> {
  const usual = options.every * 60_000;
  let pause = usual;
  while (!cli.stop.signal.aborted) {
    try {
      await once(cli, client, site, options);
      pause = usual;
    } catch (error) {
      const value = await errorValueOf(error);
      if (!value.retryable && value.code !== 'network') throw error;
      pause = longerPause(pause, usual, value);
      process.stderr.write(`${printable(sentenceOf(value))}\n`);
    }
    cli.out.note(`Next sync in ${span(pause)}; Ctrl-C ends it.`);
    await wait(pause, undefined, { signal: cli.stop.signal }).catch(() => undefined);
  }
  return exit.interrupted;
}

const HOUR = 3_600_000;

/** The pause behind one more failure: twice the last one, and no shorter than the service asks for, up to an hour. */
export function longerPause(
  pause: number,
  usual: number,
  { retry_after_ms }: Pick<ErrorValue, 'retry_after_ms'>,
): number {
  return Math.min(Math.max(usual, HOUR), Math.max(pause * 2, retry_after_ms ?? 0));
}

function report(run: SyncRun): string[] {
  const { requests, rows, problems } = run;
  const changed = Object.entries(rows).filter(([, number]) => number > 0);
  const lines = [
    changed.length === 0
      ? 'Nothing new.'
      : `New or changed: ${changed.map(([table, number]) => counted(number, table)).join(', ')}.`,
    `${counted(requests.total, 'request')} (at least ${count(requests.minimum)} were needed), ${size(run.bytes)}, ${span(run.seconds * 1000)}.`,
    ...problems.map(({ part, place, reason }) => `Not read: ${part}, ${place}: ${reason}`),
  ];
  if (run.complete) return [...lines, 'Complete.'];
  return [...lines, 'Not complete: see tieout status, and run tieout sync again.'];
}
