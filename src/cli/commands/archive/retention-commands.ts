import { createUsageError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { archiveFileColumns, formatDeletionPreview } from '../../formatters/archive.ts';
import { readStatementIds } from '../../input/ids-file.ts';
import { createIntegerParser, type PagingOptions, parseIntegerList } from '../../input/options.ts';
import { formatBytes, formatCount, formatNumber } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { updateSearchIndex } from '../../runtime/search-index.ts';
import {
  addStatementFilterOptions,
  type StatementFilterOptions,
  toStatementFilter,
} from '../shared/statement-filter.ts';

interface FilesOptions extends PagingOptions, StatementFilterOptions {
  readonly pastRetention?: true;
  readonly onHold?: true;
  readonly damaged?: true;
}

interface RetentionOptions {
  readonly years?: number;
  readonly forever?: true;
  readonly reason?: string;
}

interface DeleteOptions {
  readonly idsFile?: string;
  readonly confirm?: true;
  readonly reason?: string;
}

export const defineRetentionCommands: DefineCommand = (command) => {
  command
    .subcommand('files', 'List statements with stored PDFs, oldest first')
    .pageOptions()
    .with(addStatementFilterOptions)
    .option('--past-retention', 'only statements past retention and not on hold')
    .option('--on-hold', 'only statements on hold')
    .option('--damaged', 'only statements whose PDFs are damaged or missing')
    .listOnSite(async (context, options: FilesOptions) => {
      const { client, site } = context;
      const query = { site, filter: toStatementFilter(options), ...toOnlyFilter(options) };
      await updateSearchIndex(context, 'statements', query.filter);
      await printList(context, options, {
        columns: archiveFileColumns,
        fields: async () => (await import('../../../contract/archive/retention.ts')).archiveFileSchema,
        fetchPage: (page) => client.archive.files({ ...query, ...page }),
        noun: 'statements',
        empty: 'No stored PDFs found.',
      });
    });

  command
    .subcommand(
      'retention',
      'Show or set how long PDFs are retained; expired PDFs are never deleted automatically',
    )
    .option(
      '--years <n>',
      'retain PDFs for this many years from the document date',
      createIntegerParser(1, 100),
    )
    .option('--forever', 'retain PDFs without limit')
    .option('--reason <text>', 'reason for the audit log (required to change the retention)')
    .runOnSite(setRetention);

  command
    .subcommand(
      'delete',
      'Delete PDFs of statements that are past retention and not on hold; shows a preview first',
    )
    .argument('[statements...]', 'IDs of the statements', parseIntegerList)
    .option('--ids-file <file>', 'file with statement IDs, or - for stdin')
    .option('--confirm', 'delete the PDFs (default: preview only)')
    .option('--reason <text>', 'reason for the audit log (required with --confirm)')
    .addHelpText(
      'after',
      '\nCreate the list with: tieout archive files --past-retention --all --csv > list.csv\nDeleted PDFs are not downloaded again automatically.',
    )
    .runOnSite(deletePdfs);
};

/** Sets the retention if the user specified one, then prints the current retention. */
async function setRetention(
  { client, site, output }: SiteContext,
  { years, forever, reason }: RetentionOptions,
): Promise<void> {
  if (years !== undefined && forever) {
    throw createUsageError('--years and --forever cannot be combined.', 'Remove one of the two.');
  }
  if (years !== undefined || forever) {
    if (reason === undefined)
      throw createUsageError('Changing the retention requires a reason.', 'Add --reason TEXT.');
    await client.archive.retain({ site, years: years ?? null, reason });
  }
  const { retention_years, on_hold, past_retention } = await client.archive.summary({ site });
  await output.document({ retention_years, on_hold, past_retention }, () => [
    retention_years === null
      ? 'Retention: unlimited.'
      : `Retention: ${formatCount(retention_years, 'year')} from the document date.`,
    `${formatCount(past_retention, 'statement')} past retention and not on hold, ${formatNumber(on_hold)} on hold.`,
  ]);
}

/** Previews the deletion of PDFs. Deletes them if the user has confirmed and no PDF is protected. */
async function deletePdfs(
  { client, site, output }: SiteContext,
  ids: number[],
  options: DeleteOptions,
): Promise<ExitCode> {
  const statements = await readStatementIds(ids, options);
  if (statements.length === 0)
    throw createUsageError('No statements are selected.', 'Enter statement IDs or --ids-file.');
  const { confirm, reason } = options;
  if (confirm && reason === undefined) {
    throw createUsageError('Deleting PDFs requires a reason.', 'Add --reason TEXT.');
  }
  const preview = await client.archive.deletable({ site, statements });
  const isAllowed = preview.refused.length === 0;
  if (!confirm || !isAllowed) {
    await output.document({ deleted: false, ...preview }, () => formatDeletionPreview(preview));
    return getSuccessExitCode(isAllowed);
  }
  const { list } = preview;
  const result = await client.archive.delete({ site, statements, list, reason: reason ?? '' });
  await output.document({ deleted: true, ...result }, () => [
    `PDFs of ${formatCount(result.statements, 'statement')} deleted: ${formatCount(result.versions, 'version')}, ${formatBytes(result.bytes)}.`,
  ]);
  return exitCodes.success;
}

function toOnlyFilter({ pastRetention, onHold, damaged }: FilesOptions) {
  const filters = (
    [
      [pastRetention, 'past_retention'],
      [onHold, 'on_hold'],
      [damaged, 'damaged'],
    ] as const
  ).flatMap(([isSet, only]) => (isSet ? [only] : []));
  if (filters.length > 1) {
    throw createUsageError(
      '--past-retention, --on-hold and --damaged cannot be combined.',
      'Use only one of these options.',
    );
  }
  return filters[0] === undefined ? {} : { only: filters[0] };
}
