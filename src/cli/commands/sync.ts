import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Outputs } from '../../contract/contract.ts';
import type { ErrorValue } from '../../contract/errors.ts';
import type { SyncPart, SyncRun } from '../../contract/sync.ts';
import type { Cli } from '../act.ts';
import { type Exit, exit } from '../exit.ts';
import { errorValueOf, failureOf, sentenceOf, wrongUsage } from '../failure.ts';
import { followJob } from '../follow.ts';
import { date, given, someOf, whole } from '../input/options.ts';
import { count, counted, size, span } from '../output/figures.ts';
import { printable } from '../output/text.ts';
import { makeSearchable } from '../searchable.ts';
import type { Define } from '../verbs.ts';
import { missing } from '../words/missing.ts';
import { runColumns } from '../words/runs.ts';
import { standing } from '../words/standing.ts';

const parts = ['webhooks', 'statements', 'allocations', 'pdf'] as const satisfies readonly SyncPart[];

interface SyncOptions {
  readonly only?: SyncPart[];
  readonly full?: true;
  readonly since?: string;
  readonly watch?: true;
  readonly every: number;
  readonly history?: true;
}

/** Runs of the past that are listed. */
const LISTED = 50;

export const define: Define = (command, act) => {
  command
    .option('--only <parts>', `only these, comma-separated: ${parts.join(', ')}`, someOf(parts))
    .option('--full', 'read everything again and compare')
    .option('--since <day>', 'on a first sync: webhooks from this day on only', date)
    .option('--watch', 'go on syncing until Ctrl-C')
    .option('--every <minutes>', 'with --watch: minutes between two syncs', whole(1, 1440), 15)
    .option('--history', 'list the runs of the past instead, and what each cost')
    .addHelpText(
      'after',
      '\nThe PDFs of statements are fetched with --only pdf; without --only they are left out.',
    )
    .action(
      act.list(async (cli, options: SyncOptions) => {
        if (options.history) return await history(cli);
        if (cli.out.format === 'csv')
          throw wrongUsage('--csv is for lists, and a sync is none.', 'Use --json.');
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

async function history(cli: Cli): Promise<Exit> {
  const { client, site } = await cli.session.local();
  const { syncRun } = await import('../../contract/sync.ts');
  const rows = await client.sync.runs({ site, limit: LISTED });
  await cli.out.list<SyncRun>({
    columns: runColumns,
    fields: Object.keys(syncRun.shape),
    pages: [{ rows, next: null }],
    empty: `Not synced yet. Fetch it with: tieout sync --site ${site}`,
  });
  return exit.done;
}

async function once(cli: Cli, client: Client, site: string, options: SyncOptions): Promise<Exit> {
  const { only, full, since } = options;
  if (since !== undefined && full !== true) await noteSince(cli, client, site, since);
  const { job } = await client.sync.start({
    site,
    full: full === true,
    ...given({ only, since }),
  });
  const { error, state } = await followJob(cli, client, { site, job });
  if (cli.stop.signal.aborted) return exit.interrupted;
  if (error !== null) throw failureOf(error);
  const run = await client.sync.run({ site, job });
  const status = await client.sync.status({ site });
  await cli.out.document(run, () => report(run, status));
  await makeSearchable(cli, client, { site, of: 'webhooks' });
  await makeSearchable(cli, client, { site, of: 'statements' });
  return state === 'done' && run.complete && run.problems.length === 0 ? exit.done : exit.found;
}

/** From which day on webhooks are held is decided by the first sync; another wish later must not seem to be granted. */
async function noteSince(cli: Cli, client: Client, site: string, wanted: string): Promise<void> {
  const { parts } = await client.sync.status({ site });
  const webhooks = parts.find(({ part }) => part === 'webhooks');
  if (webhooks === undefined || webhooks.held === 0 || webhooks.since === wanted) return;
  const from = webhooks.since ? `from ${webhooks.since} on` : 'from its beginning on';
  cli.out.note(
    `The webhook log is read ${from} here already: --since counts on a first sync, or with --full.`,
  );
}

/** Syncs again and again. A failure lengthens the pause, doubling up to an hour, and is said; a refused key ends it. */
async function watch(cli: Cli, client: Client, site: string, options: SyncOptions): Promise<Exit> {
  const usual = options.every * 60_000;
  let pause = usual;
  // Others see that this one syncs the site, and leave it to it.
  const tell = (next_at: string | null) =>
    client.sync.schedule({ site, schedule: { every_minutes: options.every, next_at } });
  while (!cli.stop.signal.aborted) {
    await tell(null);
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
    await tell(new Date(Date.now() + pause).toISOString());
    await wait(pause, undefined, { signal: cli.stop.signal }).catch(() => undefined);
  }
  await client.sync.schedule({ site, schedule: null });
  return exit.interrupted;
}

const HOUR = 3_600_000;

/**
 * The pause behind one more failure: twice the last one, and no shorter than the service asks for, up to an hour. Where another
 * process is at work on the site nothing has failed: the usual one.
 */
export function longerPause(
  pause: number,
  usual: number,
  { code, retry_after_ms }: Pick<ErrorValue, 'code' | 'retry_after_ms'>,
): number {
  if (code === 'conflict') return usual;
  return Math.min(Math.max(usual, HOUR), Math.max(pause * 2, retry_after_ms ?? 0));
}

function report(run: SyncRun, status: Outputs['sync']['status']): string[] {
  const { requests, rows, problems } = run;
  const changed = Object.entries(rows).filter(([, number]) => number > 0);
  const lines = [
    changed.length === 0
      ? 'Nothing new.'
      : `New or changed: ${changed.map(([table, number]) => counted(number, table)).join(', ')}.`,
    `${counted(requests.total, 'request')} (at least ${count(requests.minimum)} were needed), ${size(run.bytes)}, ${span(run.seconds * 1000)}.`,
    ...problems.map(({ part, place, reason }) => `Not read: ${part}, ${place}: ${reason}`),
  ];
  const since = status.parts.find((part) => part.since)?.since;
  if (run.complete && since) {
    return [...lines, `Complete, but for webhooks from before ${since}: they were left out.`];
  }
  const lacking = missing(status);
  if (run.complete)
    return [...lines, ...(lacking === null ? ['Complete.'] : ['What was asked for is held.', lacking])];
  return [...lines, ...(lacking === null ? [] : [lacking]), printable(standing(status))];
}
