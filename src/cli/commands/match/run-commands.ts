import type { MatchRun } from '../../../contract/matching/match-runs.ts';
import { formatMatchRun, matchRunColumns } from '../../formatters/matches.ts';
import {
  addPageOptions,
  collectWords,
  createIntegerParser,
  omitUndefined,
  type PageOptions,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { completeJob } from '../../runtime/follow-job.ts';
import { findAccountIds } from '../bank/find-accounts.ts';

export const defineMatchRunCommands: DefineCommand = (command, handle) => {
  command
    .command('run')
    .description('Match bank lines to payments; your decisions are not changed')
    .option('--account <name>', 'only lines of this account (repeatable)', collectWords)
    .option('--dry-run', 'show the results without saving any match')
    .action(
      handle(async (cli, { account, dryRun }: { account?: string[]; dryRun?: true }) => {
        const { client, site } = await cli.session.openSite();
        cli.interrupt.setMessage('Stopped. Run the same command to resume.');
        const accounts = account === undefined ? undefined : await findAccountIds(client, site, account);
        const { job } = await client.match.run({
          site,
          dry_run: dryRun === true,
          ...omitUndefined({ accounts }),
        });
        await completeJob(cli, client, { site, job });
        const run = await client.match.getRun({ site, job });
        await cli.output.document(run, () => formatMatchRun(run));
      }),
    );

  addPageOptions(command.command('runs').description('List matching runs, newest first')).action(
    handle.list(async (cli, options: PageOptions) => {
      const { client, site } = await cli.session.openSite();
      await cli.output.list<MatchRun>({
        columns: matchRunColumns,
        fields: [
          'id',
          'dry_run',
          'state',
          'started_at',
          'ended_at',
          'user',
          'confirmed',
          'suggested',
          'ambiguous',
        ],
        pages: fetchPages(options, (page) => client.match.runs({ site, ...page })),
        footer: createPageFooter('runs'),
        empty: 'There are no matching runs yet. Start one with: tieout match run',
      });
    }),
  );

  command
    .command('undo-run')
    .description('Undo the matches that a run confirmed, except those decided on since')
    .argument('<id>', 'ID of the matching run', createIntegerParser(1))
    .requiredOption('--reason <text>', 'reason for the audit log')
    .action(
      handle(async (cli, id: number, { reason }: { reason: string }) => {
        const { client, site } = await cli.session.openSite();
        const { job } = await client.match.undoRun({ site, id, reason });
        const { summary } = await completeJob(cli, client, { site, job });
        const run = await client.match.getRun({ site, id });
        await cli.output.document(run, () => [summary ?? '']);
      }),
    );
};
