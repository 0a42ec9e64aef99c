import type { Client, Inputs } from '../../contract/contract.ts';
import type { MatchGroup, Payment } from '../../contract/matchGroups.ts';
import type { MatchRule } from '../../contract/matchRules.ts';
import type { MatchRun } from '../../contract/matchRuns.ts';
import type { Payout } from '../../contract/payouts.ts';
import type { Cli } from '../act.ts';
import { exit } from '../exit.ts';
import { failureOf, wrongUsage } from '../failure.ts';
import { followJob } from '../follow.ts';
import {
  choice,
  date,
  type ListOptions,
  listOptions,
  serviceId,
  someOf,
  whole,
  words,
} from '../input/options.ts';
import { counted } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import type { Define } from '../verbs.ts';
import {
  groupColumns,
  groupLines,
  paymentColumns,
  payoutColumns,
  ruleColumns,
  runColumns,
  runLines,
} from '../words/matches.ts';
import { accountIds } from './bank.ts';

const statuses = ['confirmed', 'suggested', 'ambiguous', 'declined', 'undone'] as const;
const states = ['open', 'ambiguous', 'suggested', 'part', 'matched', 'ignored'] as const;

interface GroupOptions extends ListOptions {
  readonly status: (typeof statuses)[number][];
  readonly rule?: string[];
  readonly line?: number;
  readonly transaction?: number;
  readonly since?: string;
  readonly until?: string;
  readonly search?: string;
  readonly sort: 'dated_on' | 'amount_in_cents';
  readonly direction: 'asc' | 'desc';
}

interface PaymentOptions extends ListOptions {
  readonly state?: (typeof states)[number][];
  readonly since?: string;
  readonly until?: string;
  readonly subscription?: number;
  readonly search?: string;
}

interface MakeOptions {
  readonly lines?: string[];
  readonly transactions?: string[];
  readonly adjust?: string[];
  readonly reason?: string;
}

export const define: Define = (command, act) => {
  command
    .command('run')
    .description('Match lines and payments, all passes in their order. What people decided stays.')
    .option('--account <name>', 'only lines of this account; may be given again', words)
    .option('--dry-run', 'say what it would come to, and change nothing')
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

  listOptions(command.command('list').description('The matches, the newest first.'))
    .option('--status <list>', `any of ${statuses.join(', ')}`, someOf(statuses), [
      'confirmed',
      'suggested',
      'ambiguous',
    ])
    .option('--rule <rule>', 'only of this rule; may be given again', words)
    .option('--line <id>', 'only with this line', whole(1))
    .option('--transaction <id>', 'only with this payment', serviceId)
    .option('--since <day>', 'booked on or after this day', date)
    .option('--until <day>', 'booked on or before this day', date)
    .option('--search <text>', 'words or ids of its lines and payments, or an amount as 19.90')
    .addOption(choice('--sort <field>', 'order by', ['dated_on', 'amount_in_cents']).default('dated_on'))
    .addOption(choice('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('desc'))
    .addHelpText('after', '\nAs JSON or CSV every match is given, unless --limit says less.')
    .action(
      act.list(async (cli, options: GroupOptions) => {
        const { client, site } = await cli.session.local();
        const { matchGroup } = await import('../../contract/matchGroups.ts');
        const all = cli.out.format !== 'table' && options.limit === undefined && options.after === undefined;
        const selection = {
          site,
          filter: groupFilter(options),
          sort: { by: options.sort, direction: options.direction },
          members: cli.out.format === 'table' ? 1 : 10_000,
        };
        await cli.out.list<MatchGroup>({
          columns: groupColumns,
          fields: Object.keys(matchGroup.shape),
          pages: pagesOf(all ? { all } : options, (place) => client.match.list({ ...selection, ...place })),
          footer: pageFooter('matches'),
          empty: 'No match fits. Match what is held with: tieout match run',
        });
      }),
    );

  command
    .command('show')
    .description('A match: what it holds, why, its rivals, what happened to it.')
    .argument('<id>', 'the match', whole(1))
    .action(
      act(async (cli, id: number) => {
        const { client, site } = await cli.session.local();
        const group = await client.match.get({ site, id });
        await cli.out.document(group, () => groupLines(group));
      }),
    );

  const several = (name: string, description: string) =>
    command.command(name).description(description).argument('<ids...>', 'the matches', numbers);

  several('confirm', 'Confirm proposals.')
    .option('--reason <text>', 'why')
    .action(
      act((cli, ids: number[], { reason }: { reason?: string }) =>
        decide(cli, 'confirmed', (client, site) => client.match.confirm({ site, ids, ...given({ reason }) })),
      ),
    );
  several('decline', 'Say no to proposals; they are not proposed again.')
    .option('--reason <text>', 'why')
    .action(
      act((cli, ids: number[], { reason }: { reason?: string }) =>
        decide(cli, 'declined', (client, site) => client.match.decline({ site, ids, ...given({ reason }) })),
      ),
    );
  several('undo', 'Take back what was confirmed or declined.')
    .requiredOption('--reason <text>', 'why')
    .action(
      act((cli, ids: number[], { reason }: { reason: string }) =>
        decide(cli, 'undone', (client, site) => client.match.undo({ site, ids, reason })),
      ),
    );

  command
    .command('make')
    .description('Put lines and payments together. ID=CENTS takes so much of it; the rest stays open.')
    .option('--lines <ids>', 'the lines, comma-separated', words)
    .option('--transactions <ids>', 'the payments, by their transactions', words)
    .option('--adjust <category=cents>', 'puts a difference down to a category; may be given again', words)
    .option('--reason <text>', 'why; needed with --adjust')
    .action(
      act((cli, options: MakeOptions) =>
        decide(cli, 'made', async (client, site) => [await client.match.make({ site, ...madeOf(options) })]),
      ),
    );

  command
    .command('write-off')
    .description('Put what is open of lines or payments down to a category (ignored: none of the matter).')
    .option('--lines <ids>', 'the lines, comma-separated', words)
    .option('--transactions <ids>', 'the payments', words)
    .requiredOption('--category <word>', 'such as fee')
    .requiredOption('--reason <text>', 'why')
    .action(
      act(
        (
          cli,
          { lines, transactions, category, reason }: MakeOptions & { category: string; reason: string },
        ) =>
          decide(cli, 'made', (client, site) =>
            client.match.writeOff({
              site,
              lines: (lines ?? []).map(whole(1)),
              transactions: (transactions ?? []).map(whole()),
              category,
              reason,
            }),
          ),
      ),
    );

  command
    .command('accept-rule')
    .description('Confirm every suggestion of a rule.')
    .argument('<rule>', 'the rule, such as payee')
    .action(
      act(async (cli, rule: string) => {
        const { client, site } = await cli.session.local();
        const done = await client.match.acceptRule({ site, rule });
        await cli.out.document(done, () => [
          `${counted(done.confirmed, 'match', 'matches')} confirmed${done.left === 0 ? '.' : `; ${done.left} could not be.`}`,
        ]);
      }),
    );

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
        const { payment } = await import('../../contract/matchGroups.ts');
        const { state, since, until, subscription, search } = options;
        const filter = given({ state, since, until, subscription_id: subscription, search });
        await cli.out.list<Payment>({
          columns: paymentColumns,
          fields: Object.keys(payment.shape),
          pages: pagesOf(options, (place) => client.match.payments({ site, filter, ...place })),
          footer: pageFooter('payments'),
          empty: 'No payment fits. A run of the matching brings in what was synced.',
        });
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

function groupFilter({ status, rule, line, transaction, since, until, search }: GroupOptions) {
  return { status, ...given({ rule, line, transaction, since, until, search }) };
}

/** What was given, without what was not. */
function given<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>;
  };
}

function madeOf({ lines, transactions, adjust, reason }: MakeOptions): Omit<Inputs['match']['make'], 'site'> {
  if (adjust !== undefined && reason === undefined) {
    throw wrongUsage('A difference needs its reason.', 'Say why with --reason.');
  }
  return {
    lines: (lines ?? []).map(shareOf),
    transactions: (transactions ?? []).map(shareOf),
    adjustments: (adjust ?? []).map((text) => {
      const [category, cents] = text.split('=') as [string, string | undefined];
      return { category, amount_in_cents: centsOf(cents, text), reason: reason ?? '' };
    }),
    ...given({ reason }),
  };
}

function shareOf(text: string): { id: number; allocated_in_cents?: number } {
  const [id, cents] = text.split('=') as [string, string | undefined];
  return { id: whole()(id), ...(cents === undefined ? {} : { allocated_in_cents: centsOf(cents, text) }) };
}

function centsOf(text: string | undefined, whole: string): number {
  if (text !== undefined && /^-?\d{1,15}$/.test(text)) return Number(text);
  throw wrongUsage(`“${whole}” does not say how many cents.`, 'Give whole cents behind the =, as fee=-150.');
}

/** Gathers numbers given one after the other, or comma-separated. */
function numbers(text: string, before: number[] | undefined): number[] {
  return [...(before ?? []), ...words(text, undefined).map(whole(1))];
}

async function decide(
  cli: Cli,
  said: string,
  act: (client: Client, site: string) => Promise<MatchGroup[]>,
): Promise<undefined> {
  const { client, site } = await cli.session.local();
  const rows = await act(client, site);
  await cli.out.document({ matches: rows }, () => [
    `${counted(rows.length, 'match', 'matches')} ${said}: ${rows.map(({ id }) => id).join(', ')}.`,
  ]);
}
