import type { ExceptionRow } from '../../../contract/checks/exceptions.ts';
import type { Client, Inputs } from '../../../contract/contract.ts';
import { usageError } from '../../errors/cli-error.ts';
import { exceptionColumns, formatException } from '../../formatters/exceptions.ts';
import {
  addPageOptions,
  addSortOptions,
  collectIntegers,
  collectWords,
  createIntegerParser,
  createListParser,
  omitUndefined,
  type PageOptions,
  parseMonth,
  parseServiceId,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatCount, formatMoney } from '../../output/format-values.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import { printUncheckedDataNote } from '../shared/completeness-notes.ts';

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
  defineExceptionList(command, handle);
  command
    .command('show')
    .description('Show an exception with its calculation, records and history')
    .argument('<id>', 'ID of the exception', createIntegerParser(1))
    .action(
      handle(async (cli, id: number) => {
        const { client, site, details } = await cli.session.openSite();
        const exception = await client.exceptions.get({ site, id });
        await cli.output.document(exception, () => formatException(exception, details));
      }),
    );
  defineExceptionDecisions(command, handle);
};

const defineExceptionList: DefineCommand = (command, handle) => {
  const list = addPageOptions(command.command('list').description('List exceptions, most severe first'))
    .option(
      '--status <list>',
      `only these statuses, comma-separated: ${statuses.join(', ')}`,
      createListParser(statuses),
      ['open'],
    )
    .option('--rule <rule>', 'only exceptions of this rule (repeatable)', collectWords)
    .option(
      '--severity <list>',
      `only these severities, comma-separated: ${severities.join(', ')}`,
      createListParser(severities),
    )
    .option('--subscription <id>', 'only exceptions of this subscription', parseServiceId)
    .option('--period <month>', 'only exceptions dated in this month, as YYYY-MM', parseMonth)
    .option('--assigned <name>', 'only exceptions assigned to this person')
    .option('--unassigned', 'only exceptions assigned to nobody')
    .option('--search <text>', 'search messages, or enter an ID');
  addSortOptions(list, ['severity', 'at_stake_in_cents', 'dated_on', 'id'], 'desc').action(
    handle.list(async (cli, options: ExceptionListOptions) => {
      const { client, site, details } = await cli.session.openSite();
      const { exceptionRowSchema } = await import('../../../contract/checks/exceptions.ts');
      const sort = { by: options.sort, direction: options.direction };
      const query = { site, filter: toFilter(options), sort };
      await cli.output.list<ExceptionRow>({
        columns: exceptionColumns(details),
        fields: Object.keys(exceptionRowSchema.omit({ refs: true }).shape),
        pages: fetchPages(options, (page) => client.exceptions.list({ ...query, ...page })),
        footer: (shown, first, next) =>
          `${createPageFooter('exceptions')(shown, first, next)}${formatAtStake(first, details.currency)}`,
        empty: 'No exceptions found. Check all stored records with: tieout check',
      });
      await printUncheckedDataNote(cli, client, site);
    }),
  );
};

const defineExceptionDecisions: DefineCommand = (command, handle) => {
  const addCommand = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .argument('<ids...>', 'IDs of the exceptions', collectIntegers);

  addCommand('accept', 'Accept exceptions as long as their records do not change')
    .requiredOption('--reason <text>', 'reason for the audit log')
    .action(
      handle((cli, ids: number[], { reason }: { reason: string }) =>
        decide(cli, 'accepted', (client, site) => client.exceptions.accept({ site, ids, reason })),
      ),
    );
  addCommand('reopen', 'Reopen accepted exceptions')
    .requiredOption('--reason <text>', 'reason for the audit log')
    .action(
      handle((cli, ids: number[], { reason }: { reason: string }) =>
        decide(cli, 'reopened', (client, site) => client.exceptions.reopen({ site, ids, reason })),
      ),
    );
  addCommand('assign', 'Assign exceptions to a person')
    .option('--to <name>', 'name of the person')
    .option('--nobody', 'remove the assignment')
    .action(
      handle((cli, ids: number[], { to, nobody }: { to?: string; nobody?: true }) => {
        if ((to === undefined) === (nobody === undefined)) {
          throw usageError('The assignee is missing or ambiguous.', 'Enter either --to NAME or --nobody.');
        }
        const result = to === undefined ? 'unassigned' : `assigned to ${to}`;
        return decide(cli, result, (client, site) =>
          client.exceptions.assign({ site, ids, assigned: to ?? null }),
        );
      }),
    );
  addCommand('comment', 'Add a comment to exceptions')
    .requiredOption('--text <text>', 'text of the comment')
    .action(
      handle((cli, ids: number[], { text }: { text: string }) =>
        decide(cli, 'commented on', (client, site) => client.exceptions.comment({ site, ids, text })),
      ),
    );
};

function toFilter(options: ExceptionListOptions): Filter {
  const { status, rule, severity, subscription, period, assigned, unassigned, search } = options;
  return {
    status,
    ...omitUndefined({ rule, severity, subscription_id: subscription, period, assigned, search }),
    ...(unassigned ? { assigned: null } : {}),
  };
}

function formatAtStake(first: object, currency: string): string {
  const sums = (first as { sums?: { at_stake_in_cents: number } | null }).sums;
  return sums ? `; ${formatMoney(sums.at_stake_in_cents)} ${currency} at stake` : '';
}

async function decide(
  cli: CommandContext,
  result: string,
  send: (client: Client, site: string) => Promise<ExceptionRow[]>,
): Promise<void> {
  const { client, site } = await cli.session.openSite();
  const exceptions = await send(client, site);
  await cli.output.document({ exceptions }, () => [
    `${formatCount(exceptions.length, 'exception')} ${result}: ${exceptions.map(({ id }) => id).join(', ')}.`,
  ]);
}
