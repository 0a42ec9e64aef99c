import type { Client, Inputs } from '../../contract/contract.ts';
import type { MatchGroup } from '../../contract/match-groups.ts';
import type { Cli } from '../act.ts';
import { wrongUsage } from '../failure.ts';
import {
  choice,
  date,
  given,
  type ListOptions,
  listOptions,
  numbers,
  serviceId,
  someOf,
  whole,
  words,
} from '../input/options.ts';
import { counted } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import { sayUnmatched } from '../stands-on.ts';
import type { Define } from '../verbs.ts';
import { groupColumns, groupLines } from '../words/matches.ts';

const statuses = ['confirmed', 'suggested', 'ambiguous', 'declined', 'undone'] as const;

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

interface MakeOptions {
  readonly lines?: string[];
  readonly transactions?: string[];
  readonly adjust?: string[];
  readonly reason?: string;
}

/** The matches themselves: which there are, and what is decided about them. */
export const define: Define = (command, act) => {
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
        const { matchGroup } = await import('../../contract/match-groups.ts');
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
        await sayUnmatched(cli, client, site);
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
};

function groupFilter({ status, rule, line, transaction, since, until, search }: GroupOptions) {
  return { status, ...given({ rule, line, transaction, since, until, search }) };
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
