import { formatMatchRun, matchRunColumns } from '../../formatters/matches.ts';
import {
  createIntegerParser,
  omitUndefined,
  type PagingOptions,
  parseWordList,
} from '../../input/options.ts';
import { printList } from '../../output/print-list.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';
import { findBankAccountIds } from '../bank/find-accounts.ts';

export const defineMatchRunCommands: DefineCommand = (command) => {
  command
    .subcommand('run', 'Match bank lines to payments; your decisions are not changed')
    .option('--account <name>', 'only lines of this account (repeatable)', parseWordList)
    .option('--dry-run', 'show the results without saving any match')
    .runOnSite(async (context, { account, dryRun }: { account?: string[]; dryRun?: true }) => {
      const { client, site, output, interrupt } = context;
      interrupt.setMessage('Stopped. Run the same command to resume.');
      const accounts = account && (await findBankAccountIds(context, account));
      const scope = { dry_run: dryRun === true, ...omitUndefined({ accounts }) };
      const { job } = await client.match.run({ site, ...scope });
      await waitForJob(context, job);
      const run = await client.match.getRun({ site, job });
      await output.document(run, () => formatMatchRun(run));
    });

  command
    .subcommand('runs', 'List matching runs, newest first')
    .pageOptions()
    .listOnSite((context, options: PagingOptions) => {
      const { client, site } = context;
      const counts = ['confirmed', 'suggested', 'ambiguous'] as const;
      return printList(context, options, {
        columns: matchRunColumns,
        fields: ['id', 'dry_run', 'state', 'started_at', 'ended_at', 'user', ...counts],
        fetchPage: (page) => client.match.runs({ site, ...page }),
        noun: 'runs',
        empty: 'There are no matching runs yet. Start one with: tieout match run',
      });
    });

  command
    .subcommand('undo-run', 'Undo the matches that a run confirmed, except those decided on later')
    .argument('<id>', 'ID of the matching run', createIntegerParser(1))
    .reasonOption()
    .runOnSite(async (context, id: number, { reason }: { reason: string }) => {
      const { client, site, output } = context;
      const { job } = await client.match.undoRun({ site, id, reason });
      const { summary } = await waitForJob(context, job);
      const run = await client.match.getRun({ site, id });
      await output.document(run, () => [summary ?? '']);
    });
};
