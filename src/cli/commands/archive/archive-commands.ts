import { type ExitCode, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatArchiveSummary } from '../../formatters/archive.ts';
import { connectSite, type DefineCommand, type SiteContext } from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';
import { updateSearchIndex } from '../../runtime/search-index.ts';
import {
  addStatementFilterOptions,
  type StatementFilterOptions,
  toStatementFilter,
} from '../shared/statement-filter.ts';
import { defineExportCommands } from './export-commands.ts';
import { defineLegalHoldCommands } from './legal-hold-commands.ts';
import { defineRetentionCommands } from './retention-commands.ts';

export const defineArchiveCommands: DefineCommand = (command) => {
  command
    .subcommand('status', 'Show what the archive contains and the results of the latest check')
    .runOnSite(printSummary);

  command
    .subcommand('fetch', 'Download PDFs of closed statements that are not in the archive')
    .with(addStatementFilterOptions)
    .run(async (cli, options: StatementFilterOptions) => {
      const filter = toStatementFilter(options);
      const context = await connectSite(cli);
      await updateSearchIndex(context, 'statements', filter);
      cli.interrupt.setMessage('Stopped. Downloaded PDFs are stored. Run the same command to resume.');
      const { job } = await context.client.archive.fetch({ site: context.site, filter });
      await completeAndPrint(context, job);
    });

  defineExportCommands(command);

  command
    .subcommand('check', 'Read files again and compare them with their checksums')
    .option('--full', 'check all files, not only those last checked more than 30 days ago')
    .addHelpText('after', '\nWhile the app is open, it checks one thirtieth of the files every day.')
    .runOnSite(async (context, { full }: { full?: true }) => {
      const { client, site, interrupt } = context;
      interrupt.setMessage('Stopped. The results so far are stored.');
      const { job } = await client.archive.check({ site, all: full === true });
      await waitForJob(context, job);
      return await printSummary(context);
    });

  command
    .subcommand('repair', 'Set damaged files aside and download their PDFs again')
    .runConnected(async (context) => {
      const { client, site, interrupt } = context;
      interrupt.setMessage('Stopped. Run the same command to resume.');
      const { job } = await client.archive.repair({ site });
      await completeAndPrint(context, job);
    });

  defineRetentionCommands(command);
  defineLegalHoldCommands(command);
};

async function printSummary({ client, site, output }: SiteContext): Promise<ExitCode> {
  const summary = await client.archive.summary({ site });
  await output.document(summary, () => formatArchiveSummary(summary));
  return getSuccessExitCode(summary.wrong.length === 0);
}

async function completeAndPrint(context: SiteContext, job: string): Promise<void> {
  const { summary, progress } = await waitForJob(context, job);
  await context.output.document({ summary, progress }, () => [summary ?? 'Done.']);
}
