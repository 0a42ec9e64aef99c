import { createUsageError } from '../../errors/cli-error.ts';
import { legalHoldColumns } from '../../formatters/archive.ts';
import { readStatementIds } from '../../input/ids-file.ts';
import { type PagingOptions, parseIntegerList } from '../../input/options.ts';
import { formatCount } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

interface HoldOptions {
  readonly idsFile?: string;
  readonly subscription?: number[];
  readonly reason: string;
}

export const defineLegalHoldCommands: DefineCommand = (command) => {
  command
    .subcommand('hold', 'Place a legal hold, so that the PDFs of statements cannot be deleted')
    .argument('[statements...]', 'IDs of the statements', parseIntegerList)
    .option('--subscription <ids>', 'all statements of these subscriptions (repeatable)', parseIntegerList)
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
        `${formatCount(result.placed, 'legal hold')} placed. List legal holds with: tieout archive holds`,
      ]);
    });

  command
    .subcommand('holds', 'List legal holds, newest first')
    .pageOptions()
    .option('--released', 'list released legal holds instead')
    .listOnSite((context, options: PagingOptions & { released?: true }) => {
      const { client, site } = context;
      const lifted = options.released === true;
      return printList(context, options, {
        columns: legalHoldColumns,
        fields: async () => (await import('../../../contract/archive/retention.ts')).archiveHoldSchema,
        fetchPage: (page) => client.archive.holds({ site, lifted, ...page }),
        noun: 'holds',
        empty: lifted ? 'No legal holds have been released.' : 'There are no legal holds.',
      });
    });

  command
    .subcommand('release', 'Release legal holds')
    .argument('<holds...>', 'numbers of the legal holds', parseIntegerList)
    .reasonOption()
    .runOnSite(async ({ client, site, output }, holds: number[], { reason }: { reason: string }) => {
      const result = await client.archive.release({ site, holds, reason });
      await output.document(result, () => [`${formatCount(result.released, 'hold')} released.`]);
    });
};
