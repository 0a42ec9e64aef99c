import type { BroughtForwardItem } from '../../../contract/periods/outstanding-items.ts';
import { usageError } from '../../errors/cli-error.ts';
import { broughtForwardColumns, formatExplainedItem } from '../../formatters/periods.ts';
import {
  addPageOptions,
  collectWords,
  omitUndefined,
  type PageOptions,
  parseDate,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { addPeriodCommand, type PeriodOptions } from './period-options.ts';

type BroughtForwardOptions = PageOptions & PeriodOptions & { cleared?: true; outstanding?: true };

interface ExplainOptions extends PeriodOptions {
  readonly expected?: string;
  readonly explanation?: string;
  readonly category?: string;
  readonly owner?: string;
}

export const defineOutstandingItemCommands: DefineCommand = (command, handle) => {
  addPageOptions(addPeriodCommand(command, 'brought-forward', 'List the items brought forward into a period'))
    .option('--cleared', 'only items that have cleared')
    .option('--outstanding', 'only items that are still outstanding')
    .action(
      handle.list(async (cli, { period, cleared, outstanding, ...pageOptions }: BroughtForwardOptions) => {
        const { client, site } = await cli.session.openSite();
        const filter = cleared === outstanding ? {} : { cleared: cleared === true };
        await cli.output.list<BroughtForwardItem>({
          columns: broughtForwardColumns,
          fields: [
            'key',
            'dated_on',
            'currency',
            'amount_in_cents',
            'text',
            'age_days',
            'brought_forward_from',
          ],
          pages: fetchPages(pageOptions, (page) =>
            client.periods.broughtForward({ site, period, filter, ...page }),
          ),
          footer: createPageFooter('items'),
          empty: `No items are brought forward into ${period}.`,
        });
      }),
    );

  addPeriodCommand(command, 'explain', 'Explain outstanding items: category, owner and expected date')
    .argument('<items...>', 'items, for example payment:17 or line:4', collectWords)
    .option('--explanation <text>', 'explanation')
    .option('--category <category>', 'category')
    .option('--owner <name>', 'person responsible for clearing the item')
    .option('--expected <date>', 'expected clearing date', parseDate)
    .action(
      handle(async (cli, items: string[], { period, expected, ...options }: ExplainOptions) => {
        const explanation = { ...options, ...omitUndefined({ expected_on: expected }) };
        if (Object.keys(explanation).length === 0) {
          throw usageError(
            'There is nothing to save.',
            'Add --explanation, --category, --owner or --expected.',
          );
        }
        const { client, site } = await cli.session.openSite();
        const rows = await client.periods.explain({ site, period, items, ...explanation });
        await cli.output.document({ items: rows }, () => rows.flatMap(formatExplainedItem));
      }),
    );
};
