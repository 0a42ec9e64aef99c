import type { ExceptionRow } from '../../../contract/checks/exceptions.ts';
import type { Client, Inputs } from '../../../contract/contract.ts';
import { usageError } from '../../errors/cli-error.ts';
import { exceptionColumns, formatException } from '../../formatters/exceptions.ts';
import {
  addPageOptions,
  choiceOption,
  collectIntegers,
  collectWords,
  integer,
  listOf,
  omitUndefined,
  type PageOptions,
  parseMonth,
  parseServiceId,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatCount, formatMoney } from '../../output/format-values.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import { noteUncheckedData } from '../shared/completeness-notes.ts';

const statuses = ['open', 'accepted', 'closed'] as const;
const severities = ['error', 'warning', 'notice'] as const;
type Filter = NonNullable<Inputs['exceptions']['list']['filter']>;

interface ExceptionListOptions extends PageOptions {
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

export const defineExceptionCommands: DefineCommand = (command, handle) => {
  addPageOptions(command.command('list').description('List exceptions, the gravest first.'))
    .option('--status <list>', `any of ${statuses.join(', ')}, comma-separated`, listOf(statuses), ['open'])
    .option('--rule <rule>', 'only of this rule; may be given again', collectWords)
    .option('--severity <list>', `any of ${severities.join(', ')}`, listOf(severities))
    .option('--subscription <id>', 'only of this subscription', parseServiceId)
    .option('--period <month>', 'only what is dated in this month, as 2026-10', parseMonth)
    .option('--assigned <name>', 'only assigned to this person')
    .option('--unassigned', 'only assigned to nobody')
    .option('--search <text>', 'words of the sentence as they stand, or a number')
    .addOption(
      choiceOption('--sort <field>', 'order by', ['severity', 'at_stake_in_cents', 'dated_on', 'id']).default(
        'severity',
      ),
    )
    .addOption(choiceOption('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('desc'))
    .action(
      handle.list(async (cli, options: ExceptionListOptions) => {
        const { client, site, details } = await cli.session.openSite();
        const { exceptionRow } = await import('../../../contract/checks/exceptions.ts');
        const sort = { by: options.sort, direction: options.direction };
        const selection = { site, filter: filterOf(options), sort };
        await cli.output.list<ExceptionRow>({
          columns: exceptionColumns(details),
          fields: Object.keys(exceptionRow.omit({ refs: true }).shape),
          pages: fetchPages(options, (place) => client.exceptions.list({ ...selection, ...place })),
          footer: (shown, first, next) =>
            `${createPageFooter('exceptions')(shown, first, next)}${atStake(first, details.currency)}`,
          empty: 'No exception fits. Check everything that is held with: tieout check',
        });
        await noteUncheckedData(cli, client, site);
      }),
    );

  command
    .command('show')
    .description('Show an exception: the arithmetic, the rows behind it, what happened to it.')
    .argument('<id>', 'the exception', integer(1))
    .action(
      handle(async (cli, id: number) => {
        const { client, site, details } = await cli.session.openSite();
        const exception = await client.exceptions.get({ site, id });
        await cli.output.document(exception, () => formatException(exception, details));
      }),
    );

  const several = (name: string, description: string) =>
    command.command(name).description(description).argument('<ids...>', 'the exceptions', collectIntegers);

  several(
    'accept',
    'Let exceptions stand, with the reason, as long as the rows behind them stay as they are.',
  )
    .requiredOption('--reason <text>', 'why they may stand')
    .action(
      handle((cli, ids: number[], { reason }: { reason: string }) =>
        decide(cli, 'accepted', (client, site) => client.exceptions.accept({ site, ids, reason })),
      ),
    );
  several('reopen', 'Take an acceptance back, with the reason.')
    .requiredOption('--reason <text>', 'reason')
    .action(
      handle((cli, ids: number[], { reason }: { reason: string }) =>
        decide(cli, 'open again', (client, site) => client.exceptions.reopen({ site, ids, reason })),
      ),
    );
  several('assign', 'Say whose exceptions are to clear.')
    .option('--to <name>', 'to this person')
    .option('--nobody', 'to nobody any more')
    .action(
      handle((cli, ids: number[], { to, nobody }: { to?: string; nobody?: true }) => {
        if ((to === undefined) === (nobody === undefined)) {
          throw usageError('Say whose they are.', 'Give --to NAME, or --nobody.');
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
      handle((cli, ids: number[], { text }: { text: string }) =>
        decide(cli, 'commented', (client, site) => client.exceptions.comment({ site, ids, text })),
      ),
    );
};

function filterOf(options: ExceptionListOptions): Filter {
  const { status, rule, severity, subscription, period, assigned, unassigned, search } = options;
  return {
    status,
    ...omitUndefined({ rule, severity, subscription_id: subscription, period, assigned }),
    ...(unassigned ? { assigned: null } : {}),
    ...(search === undefined ? {} : { search }),
  };
}

function atStake(first: object, currency: string): string {
  const sums = (first as { sums?: { at_stake_in_cents: number } | null }).sums;
  return sums ? `; ${formatMoney(sums.at_stake_in_cents)} ${currency} at stake` : '';
}

async function decide(
  cli: CommandContext,
  said: string,
  handle: (client: Client, site: string) => Promise<ExceptionRow[]>,
): Promise<undefined> {
  const { client, site } = await cli.session.openSite();
  const rows = await handle(client, site);
  await cli.output.document({ exceptions: rows }, () => [
    `${formatCount(rows.length, 'exception')} ${said}: ${rows.map(({ id }) => id).join(', ')}.`,
  ]);
}
