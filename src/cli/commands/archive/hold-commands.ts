import type { ArchiveHold } from '../../../contract/archive/retention.ts';
import { usageError } from '../../errors/cli-error.ts';
import { archiveHoldColumns } from '../../formatters/archive.ts';
import { addPageOptions, collectIntegers, type PageOptions } from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatCount } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { readStatementIds, type StatementIdsOptions } from './statement-ids.ts';

interface HoldOptions extends StatementIdsOptions {
  readonly subscription?: number[];
  readonly reason: string;
}

export const defineHoldCommands: DefineCommand = (command, handle) => {
  command
    .command('hold')
    .description('Place a legal hold, so that the PDFs of statements cannot be deleted')
    .argument('[statements...]', 'IDs of the statements', collectIntegers)
    .option('--subscription <ids>', 'all statements of these subscriptions (repeatable)', collectIntegers)
    .option('--ids-file <file>', 'file with statement IDs, or - for stdin')
    .requiredOption('--reason <text>', 'reason for the audit log')
    .action(
      handle(async (cli, ids: number[], options: HoldOptions) => {
        const { client, site } = await cli.session.openSite();
        const statements = await readStatementIds(ids, options);
        const { subscription: subscriptions = [], reason } = options;
        if (statements.length + subscriptions.length === 0) {
          throw usageError(
            'No statements are selected.',
            'Enter statement IDs, --ids-file or --subscription.',
          );
        }
        const result = await client.archive.hold({ site, statements, subscriptions, reason });
        await cli.output.document(result, () => [
          `${formatCount(result.placed, 'hold')} placed. List holds with: tieout archive holds`,
        ]);
      }),
    );

  addPageOptions(command.command('holds').description('List holds, newest first'))
    .option('--released', 'list released holds instead')
    .action(
      handle.list(async (cli, options: PageOptions & { released?: true }) => {
        const { client, site } = await cli.session.openSite();
        const { archiveHoldSchema } = await import('../../../contract/archive/retention.ts');
        const lifted = options.released === true;
        await cli.output.list<ArchiveHold>({
          columns: archiveHoldColumns,
          fields: Object.keys(archiveHoldSchema.shape),
          pages: fetchPages(options, (page) => client.archive.holds({ site, lifted, ...page })),
          footer: createPageFooter('holds'),
          empty: lifted ? 'No holds have been released.' : 'There are no holds.',
        });
      }),
    );

  command
    .command('release')
    .description('Release holds')
    .argument('<holds...>', 'numbers of the holds', collectIntegers)
    .requiredOption('--reason <text>', 'reason for the audit log')
    .action(
      handle(async (cli, holds: number[], { reason }: { reason: string }) => {
        const { client, site } = await cli.session.openSite();
        const result = await client.archive.release({ site, holds, reason });
        await cli.output.document(result, () => [`${formatCount(result.released, 'hold')} released.`]);
      }),
    );
};
