import type { Payment } from '../../contract/match-groups.ts';
import type { MatchRule } from '../../contract/match-rules.ts';
import type { MatchRun } from '../../contract/match-runs.ts';
import type { Payout } from '../../contract/payouts.ts';
import { exit } from '../exit.ts';
import { failureOf } from '../failure.ts';
import { followJob } from '../follow.ts';
import {
  date,
  given,
  type ListOptions,
  listOptions,
  serviceId,
  someOf,
  whole,
  words,
} from '../input/options.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import { sayUnmatched } from '../stands-on.ts';
import type { Define } from '../verbs.ts';
import { paymentColumns, payoutColumns, ruleColumns, runColumns, runLines } from '../words/matches.ts';
import { accountIds } from './bank.ts';
import { define as defineGroups } from './match-groups.ts';

const states = ['open', 'ambiguous', 'suggested', 'part', 'matched', 'ignored'] as const;

interface PaymentOptions extends ListOptions {
  readonly state?: (typeof states)[number][];
  readonly since?: string;
  readonly until?: string;
  readonly subscription?: number;
  readonly search?: string;
}

export const define: Define = (command, act) => {
  command
    .command('run')
    .description('Match lines and payments, all passes in their order. What people decided stays.')
    .option('--account <name>', 'only lines of this account; may be given again', words)
    .option('--dry-run', 'say what it would come to, and keep none of it')
    .action(
      act(async (cli, { account, dryRun }: { account?: string[]; dryRun?: true }) => {
        const { client, site } = await cli.session.local();
        cli.stop.onStop('Stopped; run the same command to go on.');
        const accounts = account === undefined ? undefined : await accountIds(client, site, account);
        const { job } = await client.match.run({
          site,
          dry_run: dryRun === true,
          ...(accounts === undefined ? {} : { accounts }),
        });
        const ended = await followJob(cli, client, { site, job });
        if (cli.stop.signal.aborted) return exit.interrupted;
        if (ended.error !== null) throw failureOf(ended.error);
        const run = await client.match.getRun({ site, job });
        await cli.out.document(run, () => runLines(run));
        return undefined;
      }),
    );

  defineGroups(command, act);

  listOptions(command.command('runs').description('The runs, the newest first.')).action(
    act.list(async (cli, options: ListOptions) => {
      const { client, site } = await cli.session.local();
      await cli.out.list<MatchRun>({
        columns: runColumns,
        fields: [
          'id',
          'dry_run',
          'state',
          'started_at',
          'ended_at',
          'who',
          'confirmed',
          'suggested',
          'ambiguous',
        ],
        pages: pagesOf(options, (place) => client.match.runs({ site, ...place })),
        footer: pageFooter('runs'),
        empty: 'There was no run yet. Start one with: tieout match run',
      });
    }),
  );

  command
    .command('undo-run')
    .description('Take back what a run confirmed and nobody decided about since.')
    .argument('<id>', 'the run', whole(1))
    .requiredOption('--reason <text>', 'why')
    .action(
      act(async (cli, id: number, { reason }: { reason: string }) => {
        const { client, site } = await cli.session.local();
        const { job } = await client.match.undoRun({ site, id, reason });
        const ended = await followJob(cli, client, { site, job });
        if (ended.error !== null) throw failureOf(ended.error);
        const run = await client.match.getRun({ site, id });
        await cli.out.document(run, () => [ended.summary ?? '']);
        return undefined;
      }),
    );

  listOptions(command.command('payments').description('Payments and refunds, as far as they are explained.'))
    .option('--state <list>', `any of ${states.join(', ')}`, someOf(states))
    .option('--since <day>', 'paid on or after this day', date)
    .option('--until <day>', 'paid on or before this day', date)
    .option('--subscription <id>', 'only of this subscription', serviceId)
    .option('--search <text>', 'words of the customer and the ids, or an amount as 19.90')
    .action(
      act.list(async (cli, options: PaymentOptions) => {
        const { client, site } = await cli.session.local();
        const { payment } = await import('../../contract/match-groups.ts');
        const { state, since, until, subscription, search } = options;
        const filter = given({ state, since, until, subscription_id: subscription, search });
        await cli.out.list<Payment>({
          columns: paymentColumns,
          fields: Object.keys(payment.shape),
          pages: pagesOf(options, (place) => client.match.payments({ site, filter, ...place })),
          footer: pageFooter('payments'),
          empty: 'No payment fits. A run of the matching brings in what was synced.',
        });
        await sayUnmatched(cli, client, site);
      }),
    );

  listOptions(command.command('payouts').description('Payouts of processors, from gross to net.')).action(
    act.list(async (cli, options: ListOptions) => {
      const { client, site } = await cli.session.local();
      await cli.out.list<Payout>({
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
        pages: pagesOf(options, (place) => client.match.payouts({ site, ...place })),
        footer: pageFooter('payouts'),
        empty: 'There is no payout. Import the payout report of a processor.',
      });
      await sayUnmatched(cli, client, site);
    }),
  );

  command
    .command('rules')
    .description('Your rules in their order.')
    .action(
      act.list(async (cli) => {
        const { client, site } = await cli.session.local();
        const rows = await client.match.rules({ site });
        await cli.out.list<MatchRule>({
          columns: ruleColumns,
          fields: ['id', 'position', 'title', 'enabled', 'conditions', 'action', 'groups'],
          pages: [{ rows, next: null }],
          empty: 'There is no rule of yours yet.',
        });
      }),
    );
};
