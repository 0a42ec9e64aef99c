import type { ContractInputs } from '../../../contract/contract.ts';
import { paymentColumns, payoutColumns } from '../../formatters/matches.ts';
import {
  type ListOptions,
  type PagingOptions,
  parseDate,
  parseServiceId,
  toListRequest,
} from '../../input/options.ts';
import { printList } from '../../output/print-list.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { printOutdatedMatchesNote } from '../shared/completeness-notes.ts';
import { addMatchStateOption } from '../shared/match-state-option.ts';

/** Defines the commands that list payments and payouts. */
export const definePaymentCommands: DefineCommand = (command) => {
  command
    .subcommand('payments', 'List payments and refunds with their match status')
    .pageOptions()
    .with(addMatchStateOption)
    .option('--since <date>', 'only payments made on or after this date', parseDate)
    .option('--until <date>', 'only payments made on or before this date', parseDate)
    .option('--subscription <id>', 'only payments of this subscription', parseServiceId)
    .option('--search <text>', 'search for customers, IDs or an amount, for example 19.90')
    .listOnSite(async (context, options: ListOptions<ContractInputs['match']['payments']>) => {
      const { client, site } = context;
      const query = { site, ...toListRequest<ContractInputs['match']['payments']>(options) };
      await printList(context, options, {
        columns: paymentColumns,
        fields: async () => (await import('../../../contract/matching/match-groups.ts')).paymentSchema,
        fetchPage: (page) => client.match.payments({ ...query, ...page }),
        noun: 'payments',
        empty: 'No payments found. To include newly synced payments, run: tieout match run',
      });
      await printOutdatedMatchesNote(context);
    });

  command
    .subcommand('payouts', 'List processor payouts with their net and deposited amounts')
    .pageOptions()
    .listOnSite(async (context, options: PagingOptions) => {
      const { client, site } = context;
      const amounts = ['net_in_cents', 'deposited_in_cents', 'unexplained_in_cents'] as const;
      await printList(context, options, {
        columns: payoutColumns,
        fields: ['id', 'payout_id', 'currency', 'paid_on', 'lines', ...amounts],
        fetchPage: (page) => client.match.payouts({ site, ...page }),
        noun: 'payouts',
        empty: 'There are no payouts yet. Import the payout report of a processor.',
      });
      await printOutdatedMatchesNote(context);
    });
};
