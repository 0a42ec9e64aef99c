import { setTimeout as delay } from 'node:timers/promises';
import type { SyncPart, SyncRun } from '../../../contract/app/sync.ts';
import type { Client, Outputs } from '../../../contract/contract.ts';
import type { ErrorValue } from '../../../contract/shared/errors.ts';
import { formatError, toCliError, toErrorValue, usageError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { formatMissingData } from '../../formatters/completeness.ts';
import { syncRunColumns } from '../../formatters/sync-runs.ts';
import { formatSyncStatus } from '../../formatters/sync-status.ts';
import { createIntegerParser, createListParser, omitUndefined, parseDate } from '../../input/options.ts';
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

/** Maximum number of past syncs that are listed. */
const MAX_LISTED_RUNS = 50;

export const defineSyncCommand: DefineCommand = (command, handle) => {
  command
    .option(
      '--only <parts>',
      `only these parts, comma-separated: ${parts.join(', ')}`,
      createListParser(parts),
    )
    .option('--full', 'download all records again and compare them')
    .option('--since <date>', 'first sync only: download webhooks created on or after this date', parseDate)
    .option('--watch', 'sync repeatedly until Ctrl-C')
    .option('--every <minutes>', 'minutes between syncs with --watch', createIntegerParser(1, 1440), 15)
    .option('--history', 'list past syncs with their number of requests')
    .addHelpText('after', '\nStatement PDFs are downloaded only with --only pdf.')
    .action(
      handle.list(async (cli, options: SyncOptions) => {
        if (options.history) return await listRuns(cli);
        if (cli.output.format === 'csv')
          throw usageError('--csv is available only with --history.', 'Use --json.');
        if (options.watch && cli.output.format === 'json') {
          throw usageError(
            '--watch prints a document for every sync, but --json prints only one.',
            'Use --ndjson.',
          );
        }
        const { client, site } = await cli.session.connectSite();
        cli.interrupt.setMessage('Stopped. Downloaded records are stored. Run the same command to resume.');
        return options.watch
          ? syncRepeatedly(cli, client, site, options)
          : syncOnce(cli, client, site, options);
      }),
    );
};

async function listRuns(cli: CommandContext): Promise<ExitCode> {
  const { client, site } = await cli.session.openSite();
  const { syncRunSchema } = await import('../../../contract/app/sync.ts');
  const rows = await client.sync.runs({ site, limit: MAX_LISTED_RUNS });
  await cli.output.list<SyncRun>({
    columns: syncRunColumns,
    fields: Object.keys(syncRunSchema.shape),
    pages: [{ rows, next: null }],
    empty: `Not synced yet. Download the data with: tieout sync --site ${site}`,
  });
  return exitCodes.success;
}

async function syncOnce(
  cli: CommandContext,
  client: Client,
  site: string,
  options: SyncOptions,
): Promise<ExitCode> {
  const { only, full, since } = options;
  if (since !== undefined && full !== true) await warnIfSinceIgnored(cli, client, site, since);
  const { job } = await client.sync.start({
    site,
    full: full === true,
    ...omitUndefined({ only, since }),
  });
  // `completeJob` is not used here, because `--watch` must still remove its schedule after Ctrl-C.
  const { error, state } = await followJob(cli, client, { site, job });
  if (cli.interrupt.signal.aborted) return exitCodes.interrupted;
  if (error !== null) throw toCliError(error);
  const run = await client.sync.run({ site, job });
  const status = await client.sync.status({ site });
  await cli.output.document(run, () => formatRun(run, status));
  await indexForSearch(cli, client, { site, of: 'webhooks' });
  await indexForSearch(cli, client, { site, of: 'statements' });
  return state === 'done' && run.complete && run.problems.length === 0
    ? exitCodes.success
    : exitCodes.findings;
}

/** Prints a notice if `--since` has no effect because the first sync already set the earliest date. */
async function warnIfSinceIgnored(
  cli: CommandContext,
  client: Client,
  site: string,
  requested: string,
): Promise<void> {
  const { parts } = await client.sync.status({ site });
  const webhooks = parts.find(({ part }) => part === 'webhooks');
  if (webhooks === undefined || webhooks.stored === 0 || webhooks.since === requested) return;
  const from = webhooks.since ? `since ${webhooks.since}` : 'from its beginning';
  cli.output.notice(
    `--since was ignored: webhooks are already synced ${from}. To change the date, add --full.`,
  );
}

/** Syncs repeatedly. A failure is printed and doubles the delay, up to one hour. A rejected key ends the command. */
async function syncRepeatedly(
  cli: CommandContext,
  client: Client,
  site: string,
  options: SyncOptions,
): Promise<ExitCode> {
  const interval = options.every * 60_000;
  let waitMs = interval;
  // The published schedule informs other processes that this one syncs the site, so that they do not.
  const publishSchedule = (next_at: string | null) =>
    client.sync.schedule({ site, schedule: { every_minutes: options.every, next_at } });
  while (!cli.interrupt.signal.aborted) {
    await publishSchedule(null);
    try {
      await syncOnce(cli, client, site, options);
      waitMs = interval;
    } catch (error) {
      const value = await toErrorValue(error);
      if (!value.retryable && value.code !== 'network') throw error;
      waitMs = nextWatchDelay(waitMs, interval, value);
      process.stderr.write(`${sanitizeLine(formatError(value))}\n`);
    }
    cli.output.notice(`Next sync in ${formatDuration(waitMs)}. Press Ctrl-C to stop.`);
    await publishSchedule(new Date(Date.now() + waitMs).toISOString());
    await delay(waitMs, undefined, { signal: cli.interrupt.signal }).catch(() => undefined);
  }
  await client.sync.schedule({ site, schedule: null });
  return exitCodes.interrupted;
}

const HOUR_MS = 3_600_000;

/**
 * Returns the delay in milliseconds after a failure: twice the previous delay and at least the service's retry delay, but
 * at most one hour. A conflict with another process is not a failure and keeps the usual interval.
 */
export function nextWatchDelay(
  lastDelay: number,
  interval: number,
  { code, retry_after_ms }: Pick<ErrorValue, 'code' | 'retry_after_ms'>,
): number {
  if (code === 'conflict') return interval;
  return Math.min(Math.max(interval, HOUR_MS), Math.max(lastDelay * 2, retry_after_ms ?? 0));
}

function formatRun(run: SyncRun, status: Outputs['sync']['status']): string[] {
  const { requests, rows, problems } = run;
  const changed = Object.entries(rows).filter(([, number]) => number > 0);
  const lines = [
    changed.length === 0
      ? 'No new or changed records.'
      : `New or changed: ${changed.map(([table, number]) => formatCount(number, table)).join(', ')}.`,
    `${formatCount(requests.total, 'request')} (minimum: ${formatNumber(requests.minimum)}), ${formatBytes(run.bytes)}, ${formatDuration(run.seconds * 1000)}.`,
    ...problems.map(({ part, location, reason }) => `Unreadable: ${part}, ${location}: ${reason}`),
  ];
  const since = status.parts.find((part) => part.since)?.since;
  if (run.complete && since) {
    return [...lines, `Complete, except for webhooks created before ${since}, which were excluded.`];
  }
  const missing = formatMissingData(status);
  if (run.complete)
    return [...lines, ...(missing === null ? ['Complete.'] : ['The requested parts are complete.', missing])];
  return [...lines, ...(missing === null ? [] : [missing]), sanitizeLine(formatSyncStatus(status))];
}
