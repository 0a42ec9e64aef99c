import type { ReplayItem, ReplayJob } from '../../../contract/webhooks/replay.ts';
import { usageError } from '../../errors/cli-error.ts';
import {
  formatReplay,
  replayColumns,
  replayItemColumns,
  toReplayExitCode,
} from '../../formatters/replays.ts';
import { addPageOptions, type PageOptions } from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import type { OutputPage } from '../../output/output.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { formatResumeHint } from './follow-replay.ts';

export const defineReplayReportCommands: DefineCommand = (command, handle) => {
  command
    .command('status')
    .description('Show the status of a replay, or of all replays')
    .argument('[job]', 'ID of the replay (default: all)')
    .action(
      handle.list(async (cli, job: string | undefined) => {
        const { client, site } = await cli.session.openSite();
        if (job === undefined) {
          const { replayJobSchema } = await import('../../../contract/webhooks/replay.ts');
          return cli.output.list<ReplayJob>({
            columns: replayColumns,
            fields: Object.keys(replayJobSchema.shape),
            pages: [{ rows: await client.replay.list({ site }), next: null }],
            empty: 'There are no replays yet. Create a plan with: tieout replay plan --status failed',
          });
        }
        if (cli.output.format === 'csv') {
          throw usageError('--csv is available only for lists.', `Use: tieout replay report ${job} --csv`);
        }
        const replay = await client.replay.get({ site, job });
        await cli.output.document(replay, () => [...formatReplay(replay), ...formatResumeHint(replay)]);
      }),
    );

  addPageOptions(command.command('report').description('List the outcome of each webhook of a replay'))
    .argument('<job>', 'ID of the replay')
    .action(
      handle.list(async (cli, job: string, options: PageOptions) => {
        const { client, site } = await cli.session.openSite();
        const replay = await client.replay.get({ site, job });
        // By default, files contain all rows and the terminal shows only the first page.
        const all = cli.output.format !== 'table' && options.limit === undefined;
        const { replayItemSchema } = await import('../../../contract/webhooks/replay.ts');
        await cli.output.list<ReplayItem>({
          columns: replayItemColumns,
          fields: Object.keys(replayItemSchema.shape),
          pages: addReplay(
            replay,
            fetchPages(all ? { ...options, all } : options, (page) =>
              client.replay.items({ site, job, ...page }),
            ),
          ),
          footer: (shown, first, next) =>
            [...formatReplay(replay), createPageFooter('webhooks')(shown, first, next)].join('\n'),
          empty: 'No webhooks were replayed.',
        });
        return toReplayExitCode(replay);
      }),
    );
};

/** Adds the replay to each page for the JSON output. */
async function* addReplay<P extends OutputPage<ReplayItem>>(job: ReplayJob, pages: AsyncIterable<P>) {
  for await (const page of pages) yield { ...page, job };
}
