import { getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatClosedFigures, signOffChangeColumns } from '../../formatters/periods.ts';
import { createIntegerParser, omitUndefined, type PagingOptions, parseMonth } from '../../input/options.ts';
import { formatAge, formatCount } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import {
  type CliCommand,
  connectSite,
  type DefineCommand,
  type SiteContext,
} from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';
import { addPeriodOption, type PeriodOptions } from './period-options.ts';

type ClosingOptions = PeriodOptions & { readonly closing?: number };
type ChangesOptions = PagingOptions & { readonly period?: string; readonly resolved?: true };

export const defineSignOffChangeCommands: DefineCommand = (command) => {
  command
    .subcommand('closed-figures', 'Show the digests of the figures with which a period was closed')
    .with(addClosingOptions)
    .runOnSite(async ({ client, site, output }, options: ClosingOptions) => {
      const closedFigures = await client.periods.closedFigures({ site, ...toVersion(options) });
      await output.document(closedFigures, () => formatClosedFigures(closedFigures));
    });
  command
    .subcommand('signed-workpaper', 'Print the signed workpaper as JSON')
    .with(addClosingOptions)
    .runOnSite(async ({ client, site, output }, options: ClosingOptions) => {
      const { json } = await client.periods.signed({ site, ...toVersion(options) });
      await output.write(`${json}\n`);
    });
  command
    .subcommand('changes', 'List changes since sign-off; exits with 1 if there are any')
    .pageOptions()
    .option('--period <month>', 'only changes to this period, as YYYY-MM', parseMonth)
    .option('--resolved', 'include changes that no longer exist')
    .listOnSite(async (context, { period, resolved, ...options }: ChangesOptions) => {
      const { client, site } = context;
      const query = { site, ...omitUndefined({ period }), filter: resolved ? { ended: true } : {} };
      const figures = ['amount_in_cents', 'currency', 'detected_at', 'posted_in'] as const;
      let hasChanges = false;
      let readAt: string | null = null;
      await printList(context, options, {
        columns: signOffChangeColumns,
        fields: ['id', 'period', 'kind', 'row', 'change', 'text', ...figures],
        fetchPage: async (page) => {
          const changes = await client.periods.signOffChanges({ ...query, ...page });
          hasChanges ||= changes.rows.some((row) => row.ended === null);
          readAt = changes.records_read_at;
          return changes;
        },
        noun: 'changes',
        empty: 'No changes since sign-off are known. To compare every row, run: tieout period compare',
      });
      context.output.notice(formatRecordsReadTime(readAt));
      return getSuccessExitCode(!hasChanges);
    });
  command
    .subcommand(
      'compare',
      'Compare every row of the closed periods with the closed figures; exits with 1 if anything has changed',
    )
    .option('--local', 'compare without reading the statements of the closed periods again first')
    .addHelpText(
      'after',
      '\nFirst reads the statements of the closed periods again. If the service is unreachable, compares the local records.',
    )
    .runOnSite(async (opened, { local }: { readonly local?: true }) => {
      // `--local` compares local records only, so it needs no connection and no API key.
      const context = local ? opened : await connectSite(opened).catch(() => opened);
      const { client, site, output } = context;
      const started = await client.periods.compare({ site, refresh: local !== true });
      const { id, summary } = await waitForJob(context, started.job);
      const { total, sums, records_read_at } = await client.periods.signOffChanges({ site, limit: 1 });
      const changes = total?.count ?? 0;
      const damaged = await findDamagedPeriods(context);
      const isUnchanged = changes === 0 && damaged.length === 0;
      await output.document({ job: id, summary, changes, sums, records_read_at, damaged }, () => [
        summary ?? '',
        formatRecordsReadTime(records_read_at),
        changes > 0 && `${formatCount(changes, 'change')}. List them with: tieout period changes`,
        damaged.length > 0 && 'Closed figures are damaged. Restore an earlier backup with: tieout restore',
        isUnchanged && 'No changes since sign-off.',
      ]);
      return getSuccessExitCode(isUnchanged);
    });
};

function addClosingOptions(command: CliCommand): void {
  command
    .with(addPeriodOption)
    .option(
      '--closing <n>',
      'number of the closing, if the period was closed several times (default: latest)',
      createIntegerParser(1),
    );
}

const toVersion = ({ period, closing }: ClosingOptions) => ({
  period,
  ...omitUndefined({ version: closing }),
});

/** Returns a sentence that states until when changes of closed statements are known. */
const formatRecordsReadTime = (readAt: string | null): string =>
  readAt === null
    ? 'The statements of the closed periods have not been read again since the closing.'
    : `The statements of the closed periods were read again ${formatAge(readAt, Date.now())}, at ${readAt}.`;

/** Returns a warning for each closed period whose stored figures are damaged. */
async function findDamagedPeriods({ client, site }: SiteContext) {
  const { periods } = await client.periods.list({ site });
  const damaged: { period: string; message: string }[] = [];
  for (const { period, state } of periods) {
    if (state !== 'closed') continue;
    const { remarks } = await client.periods.get({ site, period });
    damaged.push(...remarks.map(({ message }) => ({ period, message })));
  }
  return damaged;
}
