import { createUsageError } from '../../errors/cli-error.ts';
import { archiveHoldColumns } from '../../formatters/archive.ts';
import { readStatementIds } from '../../input/ids-file.ts';
import { collectIntegers, type PageOptions } from '../../input/options.ts';
import { formatCount } from '../../output/format-values.ts';
import { printPages } from '../../output/print-pages.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

interface HoldOptions {
  readonly idsFile?: string;
  readonly subscription?: number[];
  readonly reason: string;
}

export const defineHoldCommands: DefineCommand = (command) => {
  command
    .subcommand('hold', 'Place a legal hold, so that the PDFs of statements cannot be deleted')
    .argument('[statements...]', 'IDs of the statements', collectIntegers)
    .option('--subscription <ids>', 'all statements of these subscriptions (repeatable)', collectIntegers)
    .option('--ids-file <file>', 'file with statement IDs, or - for stdin')
    .reasonOption()
    .runOnSite(async ({ client, site, output }, ids: number[], options: HoldOptions) => {
      const statements = await readStatementIds(ids, options);
      const { subscription: subscriptions = [], reason } = options;
      if (statements.length + subscriptions.length === 0) {
        throw createUsageError(
          'No statements are selected.',
          'Enter statement IDs, --ids-file or --subscription.',
        );
      }
      const result = await client.archive.hold({ site, statements, subscriptions, reason });
      await output.document(result, () => [
        `${formatCount(result.placed, 'hold')} placed. List holds with: tieout archive holds`,
      ]);
    });

  command
    .subcommand('holds', 'List holds, newest first')
    .pageOptions()
    .option('--released', 'list released holds instead')
    .listOnSite((context, options: PageOptions & { released?: true }) => {
      const { client, site } = context;
      const lifted = options.released === true;
      return printPages(context, options, {
        columns: archiveHoldColumns,
        fields: async () => (await import('../../../contract/archive/retention.ts')).archiveHoldSchema,
        fetchPage: (page) => client.archive.holds({ site, lifted, ...page }),
        noun: 'holds',
        empty: lifted ? 'No holds have been released.' : 'There are no holds.',
      });
    });

  command
    .subcommand('release', 'Release holds')
    .argument('<holds...>', 'numbers of the holds', collectIntegers)
    .reasonOption()
    .runOnSite(async ({ client, site, output }, holds: number[], { reason }: { reason: string }) => {
      const result = await client.archive.release({ site, holds, reason });
      await output.document(result, () => [`${formatCount(result.released, 'hold')} released.`]);
    });
};
