import type { Client } from '../../../contract/contract.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { formatArchiveSummary } from '../../formatters/archive.ts';
import {
  addStatementFilterOptions,
  type StatementFilterOptions,
  toStatementFilter,
} from '../../input/statement-filter.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import { completeJob } from '../../runtime/follow-job.ts';
import { indexForSearch } from '../../runtime/search-index.ts';
import { defineExportCommands } from './export-commands.ts';
import { defineHoldCommands } from './hold-commands.ts';
import { defineRetentionCommands } from './retention-commands.ts';

export const defineArchiveCommands: DefineCommand = (command, handle) => {
  command
    .command('status')
    .description('Show what the archive contains and the results of the latest check')
    .action(
      handle(async (cli) => {
        const { client, site } = await cli.session.openSite();
        return await printSummary(cli, client, site);
      }),
    );

  addStatementFilterOptions(
    command.command('fetch').description('Download PDFs of closed statements that are not in the archive'),
  ).action(
    handle(async (cli, options: StatementFilterOptions) => {
      const filter = toStatementFilter(options);
      const { client, site } = await cli.session.connectSite();
      await indexForSearch(cli, client, { site, of: 'statements', filter });
      cli.interrupt.setMessage('Stopped. Downloaded PDFs are stored. Run the same command to resume.');
      const { job } = await client.archive.fetch({ site, filter });
      await completeAndPrint(cli, client, site, job);
    }),
  );

  defineExportCommands(command, handle);
  defineCheckAndRepair(command, handle);
  defineRetentionCommands(command, handle);
  defineHoldCommands(command, handle);
};

const defineCheckAndRepair: DefineCommand = (command, handle) => {
  command
    .command('check')
    .description('Read files again and compare them with their checksums')
    .option('--full', 'check all files, not only those last checked more than 30 days ago')
    .addHelpText('after', '\nWhile the app is open, it checks one thirtieth of the files every day.')
    .action(
      handle(async (cli, { full }: { full?: true }) => {
        const { client, site } = await cli.session.openSite();
        cli.interrupt.setMessage('Stopped. The results so far are stored.');
        const { job } = await client.archive.check({ site, all: full === true });
        await completeJob(cli, client, { site, job });
        return await printSummary(cli, client, site);
      }),
    );

  command
    .command('repair')
    .description('Set damaged files aside and download their PDFs again')
    .action(
      handle(async (cli) => {
        const { client, site } = await cli.session.connectSite();
        cli.interrupt.setMessage('Stopped. Run the same command to resume.');
        const { job } = await client.archive.repair({ site });
        await completeAndPrint(cli, client, site, job);
      }),
    );
};

async function printSummary(cli: CommandContext, client: Client, site: string): Promise<ExitCode> {
  const summary = await client.archive.summary({ site });
  await cli.output.document(summary, () => formatArchiveSummary(summary));
  return summary.wrong.length === 0 ? exitCodes.success : exitCodes.findings;
}

async function completeAndPrint(cli: CommandContext, client: Client, site: string, job: string) {
  const { summary, progress } = await completeJob(cli, client, { site, job });
  await cli.output.document({ summary, progress }, () => [summary ?? 'Done.']);
}
