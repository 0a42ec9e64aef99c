import { createUsageError } from '../../errors/cli-error.ts';
import { broughtForwardItemColumns, formatExplainedItem } from '../../formatters/periods.ts';
import { omitUndefined, type PagingOptions, parseDate, parseWordList } from '../../input/options.ts';
import { printList } from '../../output/print-list.ts';
import { type DefineCommand, openSite } from '../../runtime/cli-command.ts';
import { addPeriodOption, type PeriodOptions } from './period-options.ts';

type BroughtForwardOptions = PagingOptions & PeriodOptions & { cleared?: true; outstanding?: true };

interface ExplainOptions extends PeriodOptions {
  readonly expected?: string;
  readonly explanation?: string;
  readonly category?: string;
  readonly owner?: string;
}

export const defineOutstandingItemCommands: DefineCommand = (command) => {
  command
    .subcommand('brought-forward', 'List the items brought forward into a period')
    .with(addPeriodOption)
    .pageOptions()
    .option('--cleared', 'only items that have cleared')
    .option('--outstanding', 'only items that are still outstanding')
    .listOnSite((context, { period, cleared, outstanding, ...options }: BroughtForwardOptions) => {
      const { client, site } = context;
      const query = { site, period, filter: cleared === outstanding ? {} : { cleared: cleared === true } };
      const figures = ['currency', 'amount_in_cents', 'text', 'age_days', 'brought_forward_from'] as const;
      return printList(context, options, {
        columns: broughtForwardItemColumns,
        fields: ['key', 'dated_on', ...figures],
        fetchPage: (page) => client.periods.broughtForward({ ...query, ...page }),
        noun: 'items',
        empty: `No items are brought forward into ${period}.`,
      });
    });

  command
    .subcommand('explain', 'Explain outstanding items: category, owner and expected date')
    .with(addPeriodOption)
    .argument('<items...>', 'items, for example payment:17 or line:4', parseWordList)
    .option('--explanation <text>', 'explanation')
    .option('--category <category>', 'category')
    .option('--owner <name>', 'person responsible for clearing the item')
    .option('--expected <date>', 'expected clearing date', parseDate)
    .run(async (cli, items: string[], { period, expected, ...options }: ExplainOptions) => {
      const explanation = { ...options, ...omitUndefined({ expected_on: expected }) };
      if (Object.keys(explanation).length === 0) {
        throw createUsageError(
          'There is nothing to save.',
          'Add --explanation, --category, --owner or --expected.',
        );
      }
      const { client, site, output } = await openSite(cli);
      const rows = await client.periods.explain({ site, period, items, ...explanation });
      await output.document({ items: rows }, () => rows.map(formatExplainedItem));
    });
};
