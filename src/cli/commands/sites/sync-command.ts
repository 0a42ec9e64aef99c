import type { SyncPart, SyncRun } from '../../../contract/app/sync.ts';
import type { ContractOutputs } from '../../../contract/contract.ts';
import { createUsageError, toCliError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatMissingData, formatSyncStatus, syncRunColumns } from '../../formatters/sync.ts';
import { createIntegerParser, createListParser, omitUndefined, parseDate } from '../../input/options.ts';
import { formatBytes, formatCount, formatDuration, formatNumber } from '../../output/format-values.ts';
import { sanitizeLine, type TextLines } from '../../output/terminal-text.ts';
import { connectSite, type DefineCommand, openSite, type SiteContext } from '../../runtime/cli-command.ts';
import { followJob } from '../../runtime/follow-job.ts';
import { updateSearchIndex } from '../../runtime/search-index.ts';
import { syncRepeatedly } from '../../runtime/sync-repeatedly.ts';

const parts = ['webhooks', 'statements', 'allocations', 'pdf'] as const satisfies readonly SyncPart[];

interface SyncOptions {
  readonly only?: SyncPart[];
  readonly full?: true;
  readonly since?: string;
  readonly watch?: true;
  readonly every: number;
  readonly history?: true;
}

/** Maximum number of past syncs to list. Chosen by judgment. */
const MAX_LISTED_RUNS = 50;

export const defineSyncCommand: DefineCommand = (command) => {
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
    .runList(async (cli, options: SyncOptions) => {
      if (options.history) return await listRuns(await openSite(cli));
      if (cli.output.format === 'csv')
        throw createUsageError('--csv is available only with --history.', 'Use --json.');
      if (options.watch && cli.output.format === 'json') {
        throw createUsageError(
          '--watch prints one document per sync, but --json prints only one in total.',
          'Use --ndjson.',
        );
      }
      const context = await connectSite(cli);
      cli.interrupt.setMessage('Stopped. Downloaded records are stored. Run the same command to resume.');
      const sync = () => syncOnce(context, options);
      return options.watch ? syncRepeatedly(context, options.every, sync) : sync();
    });
};

async function listRuns({ client, site, output }: SiteContext): Promise<ExitCode> {
  await output.list({
    columns: syncRunColumns,
    fields: async () => (await import('../../../contract/app/sync.ts')).syncRunSchema,
    pages: [{ rows: await client.sync.runs({ site, limit: MAX_LISTED_RUNS }), next: null }],
    empty: `Not synced yet. Download the data with: tieout sync --site ${site}`,
  });
  return exitCodes.success;
}

async function syncOnce(context: SiteContext, { only, full, since }: SyncOptions): Promise<ExitCode> {
  const { client, site, output, interrupt } = context;
  if (since !== undefined && full !== true) await warnIfSinceIgnored(context, since);
  const { job } = await client.sync.start({ site, full: full === true, ...omitUndefined({ only, since }) });
  // Does not use `waitForJob`, because `--watch` must still remove its schedule after Ctrl-C.
  const { error, state } = await followJob(context, job);
  if (interrupt.signal.aborted) return exitCodes.interrupted;
  if (error !== null) throw toCliError(error);
  const run = await client.sync.run({ site, job });
  const status = await client.sync.status({ site });
  await output.document(run, () => formatRun(run, status));
  await updateSearchIndex(context, 'webhooks');
  await updateSearchIndex(context, 'statements');
  return getSuccessExitCode(state === 'done' && run.complete && run.problems.length === 0);
}

/** Prints a notice if `--since` has no effect, because only the first sync sets the earliest date. */
async function warnIfSinceIgnored({ client, site, output }: SiteContext, requested: string): Promise<void> {
  const { parts } = await client.sync.status({ site });
  const webhooks = parts.find(({ part }) => part === 'webhooks');
  if (webhooks === undefined || webhooks.stored === 0 || webhooks.since === requested) return;
  const from = webhooks.since ? `since ${webhooks.since}` : 'from its beginning';
  output.notice(`--since was ignored: webhooks are already synced ${from}. To change the date, add --full.`);
}

function formatRun(run: SyncRun, status: ContractOutputs['sync']['status']): TextLines {
  const { requests, rows, problems, complete } = run;
  const changed = Object.entries(rows).filter(([, number]) => number > 0);
  const since = status.parts.find((part) => part.since)?.since;
  const missing = formatMissingData(status);
  const lines = [
    changed.length === 0
      ? 'No new or changed records.'
      : `New or changed: ${changed.map(([table, number]) => formatCount(number, table)).join(', ')}.`,
    `${formatCount(requests.total, 'request')} (minimum: ${formatNumber(requests.minimum)}), ${formatBytes(run.bytes)}, ${formatDuration(run.seconds * 1000)}.`,
    ...problems.map(({ part, location, reason }) => `Unreadable: ${part}, ${location}: ${reason}`),
  ];
  if (!complete) return [lines, missing, sanitizeLine(formatSyncStatus(status))];
  if (since) return [lines, `Complete, except for webhooks created before ${since}, which were excluded.`];
  return [lines, missing === null ? 'Complete.' : ['The requested parts are complete.', missing]];
}
