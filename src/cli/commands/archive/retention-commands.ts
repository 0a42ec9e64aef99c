import type { ArchiveFile } from '../../../contract/archive/retention.ts';
import { usageError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { archiveFileColumns, formatDeletionPreview } from '../../formatters/archive.ts';
import {
  addPageOptions,
  collectIntegers,
  createIntegerParser,
  type PageOptions,
} from '../../input/options.ts';
import {
  addStatementFilterOptions,
  type StatementFilterOptions,
  toStatementFilter,
} from '../../input/statement-filter.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatBytes, formatCount, formatNumber } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { indexForSearch } from '../../runtime/search-index.ts';
import { readStatementIds, type StatementIdsOptions } from './statement-ids.ts';

interface FilesOptions extends PageOptions, StatementFilterOptions {
  readonly pastRetention?: true;
  readonly onHold?: true;
  readonly damaged?: true;
}

interface RetentionOptions {
  readonly years?: number;
  readonly forever?: true;
  readonly reason?: string;
}

type DeleteOptions = StatementIdsOptions & { readonly confirm?: true; readonly reason?: string };

export const defineRetentionCommands: DefineCommand = (command, handle) => {
  defineFiles(command, handle);
  defineRetention(command, handle);
  defineDelete(command, handle);
};

const defineFiles: DefineCommand = (command, handle) => {
  addStatementFilterOptions(
    addPageOptions(command.command('files').description('List statements with stored PDFs, oldest first')),
  )
    .option('--past-retention', 'only statements past retention and not on hold')
    .option('--on-hold', 'only statements on hold')
    .option('--damaged', 'only statements whose PDFs are damaged or missing')
    .action(
      handle.list(async (cli, options: FilesOptions) => {
        const { client, site } = await cli.session.openSite();
        const { archiveFileSchema } = await import('../../../contract/archive/retention.ts');
        const query = { site, filter: toStatementFilter(options), ...toOnlyFilter(options) };
        await indexForSearch(cli, client, { ...query, of: 'statements' });
        await cli.output.list<ArchiveFile>({
          columns: archiveFileColumns,
          fields: Object.keys(archiveFileSchema.shape),
          pages: fetchPages(options, (page) => client.archive.files({ ...query, ...page })),
          footer: createPageFooter('statements'),
          empty: 'No stored PDFs found.',
        });
      }),
    );
};

const defineRetention: DefineCommand = (command, handle) => {
  command
    .command('retention')
    .description('Show or set how long PDFs are retained; expired PDFs are never deleted automatically')
    .option(
      '--years <n>',
      'retain PDFs for this many years from the document date',
      createIntegerParser(1, 100),
    )
    .option('--forever', 'retain PDFs without limit')
    .option('--reason <text>', 'reason for the audit log (required to change the retention)')
    .action(
      handle(async (cli, { years, forever, reason }: RetentionOptions) => {
        const { client, site } = await cli.session.openSite();
        if (years !== undefined && forever) {
          throw usageError('--years and --forever cannot be combined.', 'Remove one of them.');
        }
        if (years !== undefined || forever) {
          if (reason === undefined)
            throw usageError('Changing the retention requires a reason.', 'Add --reason TEXT.');
          await client.archive.retain({ site, years: years ?? null, reason });
        }
        const { retention_years, on_hold, past_retention } = await client.archive.summary({ site });
        await cli.output.document({ retention_years, on_hold, past_retention }, () => [
          retention_years === null
            ? 'Retention: unlimited.'
            : `Retention: ${formatCount(retention_years, 'year')} from the document date.`,
          `${formatCount(past_retention, 'statement')} past retention and not on hold, ${formatNumber(on_hold)} on hold.`,
        ]);
      }),
    );
};

const defineDelete: DefineCommand = (command, handle) => {
  command
    .command('delete')
    .description('Delete PDFs of statements that are past retention and not on hold; shows a preview first')
    .argument('[statements...]', 'IDs of the statements', collectIntegers)
    .option('--ids-file <file>', 'file with statement IDs, or - for stdin')
    .option('--confirm', 'delete the PDFs (default: preview only)')
    .option('--reason <text>', 'reason for the audit log (required with --confirm)')
    .addHelpText(
      'after',
      '\nCreate the list with: tieout archive files --past-retention --all --csv > list.csv\nDeleted PDFs are not downloaded again automatically.',
    )
    .action(
      handle(async (cli, ids: number[], options: DeleteOptions) => {
        const { client, site } = await cli.session.openSite();
        const statements = await readStatementIds(ids, options);
        if (statements.length === 0)
          throw usageError('No statements are selected.', 'Enter statement IDs or --ids-file.');
        const { confirm, reason } = options;
        if (confirm && reason === undefined) {
          throw usageError('Deleting PDFs requires a reason.', 'Add --reason TEXT.');
        }
        const preview = await client.archive.deletable({ site, statements });
        if (!confirm || preview.refused.length > 0) {
          await cli.output.document({ deleted: false, ...preview }, () => formatDeletionPreview(preview));
          return preview.refused.length > 0 ? exitCodes.findings : exitCodes.success;
        }
        const { list } = preview;
        const result = await client.archive.delete({ site, statements, list, reason: reason ?? '' });
        await cli.output.document({ deleted: true, ...result }, () => [
          `PDFs of ${formatCount(result.statements, 'statement')} deleted: ${formatCount(result.versions, 'version')}, ${formatBytes(result.bytes)}.`,
        ]);
        return exitCodes.success;
      }),
    );
};

function toOnlyFilter({ pastRetention, onHold, damaged }: FilesOptions) {
  const filters = (
    [
      [pastRetention, 'past_retention'],
      [onHold, 'on_hold'],
      [damaged, 'damaged'],
    ] as const
  ).flatMap(([isSet, only]) => (isSet ? [only] : []));
  if (filters.length > 1) {
    throw usageError(
      '--past-retention, --on-hold and --damaged cannot be combined.',
      'Choose only one of them.',
    );
  }
  return filters[0] === undefined ? {} : { only: filters[0] };
}
