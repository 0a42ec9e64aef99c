import { setTimeout as wait } from 'node:timers/promises';
import type { SyncPart, SyncRun } from '../../../contract/app/sync.ts';
import type { Client, Outputs } from '../../../contract/contract.ts';
import type { ErrorValue } from '../../../contract/shared/errors.ts';
import { formatError, toCliError, toErrorValue, usageError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCode } from '../../errors/exit-codes.ts';
import { formatMissingData } from '../../formatters/completeness.ts';
import { syncRunColumns } from '../../formatters/sync-runs.ts';
import { formatSyncStatus } from '../../formatters/sync-status.ts';
import { integer, listOf, omitUndefined, parseDate } from '../../input/options.ts';
import { formatBytes, formatCount, formatDuration, formatNumber } from '../../output/format-values.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import { followJob } from '../../runtime/follow-job.ts';
import { indexForSearch } from '../../runtime/search-index.ts';

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

export const defineSyncCommand: DefineCommand = (command, handle) => {
  command
    .option('--only <parts>', `only these, comma-separated: ${parts.join(', ')}`, listOf(parts))
    .option('--full', 'read everything again and compare')
    .option('--since <day>', 'on a first sync: webhooks from this day on only', parseDate)
    .option('--watch', 'go on syncing until Ctrl-C')
    .option('--every <minutes>', 'with --watch: minutes between two syncs', integer(1, 1440), 15)
    .option('--history', 'list the runs of the past instead, and what each cost')
    .addHelpText(
      'after',
      '\nThe PDFs of statements are fetched with --only pdf; without --only they are left out.',
    )
    .action(
      handle.list(async (cli, options: SyncOptions) => {
        if (options.history) return await history(cli);
        if (cli.output.format === 'csv')
          throw usageError('--csv is for lists, and a sync is none.', 'Use --json.');
        if (options.watch && cli.output.format === 'json') {
          throw usageError(
            '--watch gives a document for every sync, and --json is one document.',
            'Use --ndjson.',
          );
        }
        const { client, site } = await cli.session.connectSite();
        cli.interrupt.setMessage('Stopped; what was fetched is kept. Run the same command to go on.');
        return options.watch ? watch(cli, client, site, options) : once(cli, client, site, options);
      }),
    );
};

async function history(cli: CommandContext): Promise<ExitCode> {
  const { client, site } = await cli.session.openSite();
  const { syncRun } = await import('../../../contract/app/sync.ts');
  const rows = await client.sync.runs({ site, limit: LISTED });
  await cli.output.list<SyncRun>({
    columns: syncRunColumns,
    fields: Object.keys(syncRun.shape),
    pages: [{ rows, next: null }],
    empty: `Not synced yet. Fetch it with: tieout sync --site ${site}`,
  });
  return exitCode.success;
}

async function once(
  cli: CommandContext,
  client: Client,
  site: string,
  options: SyncOptions,
): Promise<ExitCode> {
  const { only, full, since } = options;
  if (since !== undefined && full !== true) await noteSince(cli, client, site, since);
  const { job } = await client.sync.start({
    site,
    full: full === true,
    ...omitUndefined({ only, since }),
  });
  const { error, state } = await followJob(cli, client, { site, job });
  if (cli.interrupt.signal.aborted) return exitCode.interrupted;
  if (error !== null) throw toCliError(error);
  const run = await client.sync.run({ site, job });
  const status = await client.sync.status({ site });
  await cli.output.document(run, () => report(run, status));
  await indexForSearch(cli, client, { site, of: 'webhooks' });
  await indexForSearch(cli, client, { site, of: 'statements' });
  return state === 'done' && run.complete && run.problems.length === 0 ? exitCode.success : exitCode.findings;
}

/** From which day on webhooks are held is decided by the first sync; another wish later must not seem to be granted. */
async function noteSince(cli: CommandContext, client: Client, site: string, wanted: string): Promise<void> {
  const { parts } = await client.sync.status({ site });
  const webhooks = parts.find(({ part }) => part === 'webhooks');
  if (webhooks === undefined || webhooks.stored === 0 || webhooks.since === wanted) return;
  const from = webhooks.since ? `from ${webhooks.since} on` : 'from its beginning on';
  cli.output.notice(
    `The webhook log is read ${from} here already: --since counts on a first sync, or with --full.`,
  );
}

/** Syncs again and again. A failure lengthens the pause, doubling up to an hour, and is said; a refused key ends it. */
async function watch(
  cli: CommandContext,
  client: Client,
  site: string,
  options: SyncOptions,
): Promise<ExitCode> {
  const usual = options.every * 60_000;
  let pause = usual;
  // Others see that this one syncs the site, and leave it to it.
  const tell = (next_at: string | null) =>
    client.sync.schedule({ site, schedule: { every_minutes: options.every, next_at } });
  while (!cli.interrupt.signal.aborted) {
    await tell(null);
    try {
      await once(cli, client, site, options);
      pause = usual;
    } catch (error) {
      const value = await toErrorValue(error);
      if (!value.retryable && value.code !== 'network') throw error;
      pause = nextWatchDelay(pause, usual, value);
      process.stderr.write(`${sanitizeLine(formatError(value))}\n`);
    }
    cli.output.notice(`Next sync in ${formatDuration(pause)}; Ctrl-C ends it.`);
    await tell(new Date(Date.now() + pause).toISOString());
    await wait(pause, undefined, { signal: cli.interrupt.signal }).catch(() => undefined);
  }
  await client.sync.schedule({ site, schedule: null });
  return exitCode.interrupted;
}

const HOUR = 3_600_000;

/**
 * The pause behind one more failure: twice the last one, and no shorter than the service asks for, up to an hour. Where another
 * process is at work on the site nothing has failed: the usual one.
 */
export function nextWatchDelay(
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
      : `New or changed: ${changed.map(([table, number]) => formatCount(number, table)).join(', ')}.`,
    `${formatCount(requests.total, 'request')} (at least ${formatNumber(requests.minimum)} were needed), ${formatBytes(run.bytes)}, ${formatDuration(run.seconds * 1000)}.`,
    ...problems.map(({ part, place, reason }) => `Not read: ${part}, ${place}: ${reason}`),
  ];
  const since = status.parts.find((part) => part.since)?.since;
  if (run.complete && since) {
    return [...lines, `Complete, but for webhooks from before ${since}: they were left out.`];
  }
  const lacking = formatMissingData(status);
  if (run.complete)
    return [...lines, ...(lacking === null ? ['Complete.'] : ['What was asked for is held.', lacking])];
  return [...lines, ...(lacking === null ? [] : [lacking]), sanitizeLine(formatSyncStatus(status))];
}
