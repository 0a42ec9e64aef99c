import type { Client, Inputs } from '../../contract/contract.ts';
import type { ExceptionRow } from '../../contract/exceptions.ts';
import type { Cli } from '../act.ts';
import { wrongUsage } from '../failure.ts';
import {
  choice,
  given,
  type ListOptions,
  listOptions,
  month,
  numbers,
  serviceId,
  someOf,
  whole,
  words,
} from '../input/options.ts';
import { counted, money } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import { sayUnchecked } from '../stands-on.ts';
import type { Define } from '../verbs.ts';
import { exceptionColumns, exceptionLines } from '../words/exceptions.ts';

const statuses = ['open', 'accepted', 'closed'] as const;
const severities = ['error', 'warning', 'notice'] as const;
type Filter = NonNullable<Inputs['exceptions']['list']['filter']>;

interface ExceptionListOptions extends ListOptions {
  readonly status: (typeof statuses)[number][];
  readonly rule?: string[];
  readonly severity?: (typeof severities)[number][];
  readonly subscription?: number;
  readonly period?: string;
  readonly assigned?: string;
  readonly unassigned?: true;
  readonly search?: string;
  readonly sort: 'severity' | 'at_stake_in_cents' | 'dated_on' | 'id';
  readonly direction: 'asc' | 'desc';
}

export const define: Define = (command, act) => {
  listOptions(command.command('list').description('List exceptions, the gravest first.'))
    .option('--status <list>', `any of ${statuses.join(', ')}, comma-separated`, someOf(statuses), ['open'])
    .option('--rule <rule>', 'only of this rule; may be given again', words)
    .option('--severity <list>', `any of ${severities.join(', ')}`, someOf(severities))
    .option('--subscription <id>', 'only of this subscription', serviceId)
    .option('--period <month>', 'only what is dated in this month, as 2026-10', month)
    .option('--assigned <name>', 'only assigned to this person')
    .option('--unassigned', 'only assigned to nobody')
    .option('--search <text>', 'words of the sentence as they stand, or a number')
    .addOption(
      choice('--sort <field>', 'order by', ['severity', 'at_stake_in_cents', 'dated_on', 'id']).default(
        'severity',
      ),
    )
    .addOption(choice('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('desc'))
    .action(
      act.list(async (cli, options: ExceptionListOptions) => {
        const { client, site, about } = await cli.session.local();
        const { exceptionRow } = await import('../../contract/exceptions.ts');
        const sort = { by: options.sort, direction: options.direction };
        const selection = { site, filter: filterOf(options), sort };
        await cli.out.list<ExceptionRow>({
          columns: exceptionColumns(about),
          fields: Object.keys(exceptionRow.omit({ refs: true }).shape),
          pages: pagesOf(options, (place) => client.exceptions.list({ ...selection, ...place })),
          footer: (shown, first, next) =>
            `${pageFooter('exceptions')(shown, first, next)}${atStake(first, about.currency)}`,
          empty: 'No exception fits. Check everything that is held with: tieout check',
        });
        await sayUnchecked(cli, client, site);
      }),
    );

  command
    .command('show')
    .description('Show an exception: the arithmetic, the rows behind it, what happened to it.')
    .argument('<id>', 'the exception', whole(1))
    .action(
      act(async (cli, id: number) => {
        const { client, site, about } = await cli.session.local();
        const exception = await client.exceptions.get({ site, id });
        await cli.out.document(exception, () => exceptionLines(exception, about));
      }),
    );

  const several = (name: string, description: string) =>
    command.command(name).description(description).argument('<ids...>', 'the exceptions', numbers);

  several(
    'accept',
    'Let exceptions stand, with the reason, as long as the rows behind them stay as they are.',
  )
    .requiredOption('--reason <text>', 'why they may stand')
    .action(
      act((cli, ids: number[], { reason }: { reason: string }) =>
        decide(cli, 'accepted', (client, site) => client.exceptions.accept({ site, ids, reason })),
      ),
    );
  several('reopen', 'Take an acceptance back, with the reason.')
    .requiredOption('--reason <text>', 'why')
    .action(
      act((cli, ids: number[], { reason }: { reason: string }) =>
        decide(cli, 'open again', (client, site) => client.exceptions.reopen({ site, ids, reason })),
      ),
    );
  several('assign', 'Say whose exceptions are to clear.')
    .option('--to <name>', 'to this person')
    .option('--nobody', 'to nobody any more')
    .action(
      act((cli, ids: number[], { to, nobody }: { to?: string; nobody?: true }) => {
        if ((to === undefined) === (nobody === undefined)) {
          throw wrongUsage('Say whose they are.', 'Give --to NAME, or --nobody.');
        }
        const said = to === undefined ? 'assigned to nobody' : `assigned to ${to}`;
        return decide(cli, said, (client, site) =>
          client.exceptions.assign({ site, ids, assigned: to ?? null }),
        );
      }),
    );
  several('comment', 'Write something down about exceptions.')
    .requiredOption('--text <text>', 'what')
    .action(
      act((cli, ids: number[], { text }: { text: string }) =>
        decide(cli, 'commented', (client, site) => client.exceptions.comment({ site, ids, text })),
      ),
    );
};

function filterOf(options: ExceptionListOptions): Filter {
  const { status, rule, severity, subscription, period, assigned, unassigned, search } = options;
  return {
    status,
    ...given({ rule, severity, subscription_id: subscription, period, assigned }),
    ...(unassigned ? { assigned: null } : {}),
    ...(search === undefined ? {} : { search }),
  };
}

function atStake(first: object, currency: string): string {
  const sums = (first as { sums?: { at_stake_in_cents: number } | null }).sums;
  return sums ? `; ${money(sums.at_stake_in_cents)} ${currency} at stake` : '';
}

async function decide(
  cli: Cli,
  said: string,
  act: (client: Client, site: string) => Promise<ExceptionRow[]>,
): Promise<undefined> {
  const { client, site } = await cli.session.local();
  const rows = await act(client, site);
  await cli.out.document({ exceptions: rows }, () => [
    `${counted(rows.length, 'exception')} ${said}: ${rows.map(({ id }) => id).join(', ')}.`,
  ]);
}
