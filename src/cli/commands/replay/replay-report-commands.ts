import { createUsageError } from '../../errors/cli-error.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import {
  formatReplay,
  getReplayExitCode,
  replayColumns,
  replayItemColumns,
} from '../../formatters/replays.ts';
import type { PagingOptions } from '../../input/options.ts';
import { printList } from '../../output/print-list.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { formatResumeHint } from './follow-replay.ts';

export const defineReplayReportCommands: DefineCommand = (command) => {
  command
    .subcommand('status', 'Show the status of a replay, or of all replays')
    .argument('[job]', 'ID of the replay (default: all)')
    .listOnSite(async ({ client, site, output }, job: string | undefined) => {
      if (job === undefined) {
        return output.list({
          columns: replayColumns,
          fields: async () => (await import('../../../contract/webhooks/replay.ts')).replayJobSchema,
          pages: [{ rows: await client.replay.list({ site }), next: null }],
          empty: 'There are no replays yet. Create a plan with: tieout replay plan --status failed',
        });
      }
      if (output.format === 'csv') {
        throw createUsageError(
          '--csv is available only for lists.',
          `Use: tieout replay report ${job} --csv`,
        );
      }
      const replay = await client.replay.get({ site, job });
      await output.document(replay, () => [formatReplay(replay), formatResumeHint(replay)]);
    });

  command
    .subcommand('report', 'List the outcome of each webhook of a replay')
    .pageOptions()
    .argument('<job>', 'ID of the replay')
    .listOnSite(printReport);
};

async function printReport(context: SiteContext, job: string, options: PagingOptions): Promise<ExitCode> {
  const { client, site, output } = context;
  const replay = await client.replay.get({ site, job });
  // By default, files contain all rows, but the terminal shows only the first page.
  const all = output.format !== 'table' && options.limit === undefined;
  await printList(context, all ? { ...options, all } : options, {
    columns: replayItemColumns,
    fields: async () => (await import('../../../contract/webhooks/replay.ts')).replayItemSchema,
    // Adds the replay to the JSON output.
    fetchPage: async (page) => ({ ...(await client.replay.items({ site, job, ...page })), job: replay }),
    noun: 'webhooks',
    footer: (count) => [...formatReplay(replay), count].join('\n'),
    empty: 'No webhooks were replayed.',
  });
  return getReplayExitCode(replay);
}
