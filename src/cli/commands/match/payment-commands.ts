import type { Payment } from '../../../contract/matching/match-groups.ts';
import type { MatchRule } from '../../../contract/matching/match-rules.ts';
import type { Payout } from '../../../contract/matching/payouts.ts';
import { matchRuleColumns, paymentColumns, payoutColumns } from '../../formatters/matches.ts';
import { type MatchState, matchStateHelp, matchStates } from '../../input/match-states.ts';
import {
  addPageOptions,
  createListParser,
  omitUndefined,
  type PageOptions,
  parseDate,
  parseServiceId,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { printOutdatedMatchesNote } from '../shared/completeness-notes.ts';

interface PaymentOptions extends PageOptions {
  readonly state?: MatchState[];
  readonly since?: string;
  readonly until?: string;
  readonly subscription?: number;
  readonly search?: string;
}

/** Defines the commands that list payments, payouts and match rules. */
export const definePaymentCommands: DefineCommand = (command, handle) => {
  addPageOptions(command.command('payments').description('List payments and refunds with their match status'))
    .option('--state <list>', matchStateHelp, createListParser(matchStates))
    .option('--since <date>', 'only paid on or after this date', parseDate)
    .option('--until <date>', 'only paid on or before this date', parseDate)
    .option('--subscription <id>', 'only payments of this subscription', parseServiceId)
    .option('--search <text>', 'search customers and IDs, or enter an amount such as 19.90')
    .action(
      handle.list(async (cli, options: PaymentOptions) => {
        const { client, site } = await cli.session.openSite();
        const { paymentSchema } = await import('../../../contract/matching/match-groups.ts');
        const { state, since, until, subscription, search } = options;
        const filter = omitUndefined({ state, since, until, subscription_id: subscription, search });
        await cli.output.list<Payment>({
          columns: paymentColumns,
          fields: Object.keys(paymentSchema.shape),
          pages: fetchPages(options, (page) => client.match.payments({ site, filter, ...page })),
          footer: createPageFooter('payments'),
          empty: 'No payments found. To include newly synced payments, run: tieout match run',
        });
        await printOutdatedMatchesNote(cli, client, site);
      }),
    );

  addPageOptions(
    command.command('payouts').description('List processor payouts with their net and deposited amounts'),
  ).action(
    handle.list(async (cli, options: PageOptions) => {
      const { client, site } = await cli.session.openSite();
      await cli.output.list<Payout>({
        columns: payoutColumns,
        fields: [
          'id',
          'payout_id',
          'currency',
          'paid_on',
          'lines',
          'net_in_cents',
          'deposited_in_cents',
          'unexplained_in_cents',
        ],
        pages: fetchPages(options, (page) => client.match.payouts({ site, ...page })),
        footer: createPageFooter('payouts'),
        empty: 'There are no payouts yet. Import the payout report of a processor.',
      });
      await printOutdatedMatchesNote(cli, client, site);
    }),
  );

  command
    .command('rules')
    .description('List your match rules in order of priority')
    .action(
      handle.list(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const rows = await client.match.rules({ site });
        await cli.output.list<MatchRule>({
          columns: matchRuleColumns,
          fields: ['id', 'position', 'title', 'enabled', 'conditions', 'action', 'groups'],
          pages: [{ rows, next: null }],
          empty: 'There are no match rules yet.',
        });
      }),
    );
};
