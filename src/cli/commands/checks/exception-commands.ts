import type { ExceptionRow } from '../../../contract/checks/exceptions.ts';
import type { ContractInputs } from '../../../contract/contract.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { exceptionColumns, formatException } from '../../formatters/exceptions.ts';
import {
  createIntegerParser,
  createListParser,
  type ListOptions,
  parseIntegerList,
  parseMonth,
  parseServiceId,
  parseWordList,
  toListRequest,
} from '../../input/options.ts';
import { formatMoney } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import { type DefineCommand, openSite, type SiteContext } from '../../runtime/cli-command.ts';
import { printUncheckedDataNote } from '../shared/completeness-notes.ts';
import { printMatchDecision } from '../shared/print-match-decision.ts';

const statuses = ['open', 'accepted', 'closed'] as const;
const severities = ['error', 'warning', 'notice'] as const;

type ListInput = ContractInputs['exceptions']['list'];
type ExceptionListOptions = ListOptions<ListInput> & { readonly unassigned?: true };

export const defineExceptionCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List exceptions, most severe first')
    .pageOptions()
    .option(
      '--status <list>',
      `only these statuses, comma-separated: ${statuses.join(', ')}`,
      createListParser(statuses),
      ['open'],
    )
    .option('--rule <rule>', 'only exceptions of this rule (repeatable)', parseWordList)
    .option(
      '--severity <list>',
      `only these severities, comma-separated: ${severities.join(', ')}`,
      createListParser(severities),
    )
    .option('--subscription <id>', 'only exceptions of this subscription', parseServiceId)
    .option('--period <month>', 'only exceptions dated in this month, as YYYY-MM', parseMonth)
    .option('--assigned <name>', 'only exceptions assigned to this person')
    .option('--unassigned', 'only unassigned exceptions')
    .option('--search <text>', 'search for words in messages, or for an ID')
    .sortOptions(['severity', 'at_stake_in_cents', 'dated_on', 'id'], 'desc')
    .listOnSite(listExceptions);

  command
    .subcommand('show', 'Show an exception with its calculation, records and history')
    .argument('<id>', 'ID of the exception', createIntegerParser(1))
    .runOnSite(async ({ client, site, details, output }, id: number) => {
      const exception = await client.exceptions.get({ site, id });
      await output.document(exception, () => formatException(exception, details));
    });

  defineExceptionDecisions(command);
};

async function listExceptions(
  context: SiteContext,
  { unassigned, ...options }: ExceptionListOptions,
): Promise<void> {
  const { client, site, details } = context;
  const { filter, sort } = toListRequest<ListInput>(options);
  const query = { site, filter: { ...filter, ...(unassigned ? { assigned: null } : {}) }, sort };
  await printList(context, options, {
    columns: exceptionColumns(details),
    fields: async () =>
      (await import('../../../contract/checks/exceptions.ts')).exceptionRowSchema.omit({ refs: true }),
    fetchPage: (page) => client.exceptions.list({ ...query, ...page }),
    noun: 'exceptions',
    footer: (count, { sums }) =>
      sums ? `At stake: ${formatMoney(sums.at_stake_in_cents)} ${details.currency}\n${count}` : count,
    empty: 'No exceptions found. Check all stored records with: tieout check',
  });
  await printUncheckedDataNote(context);
}

const defineExceptionDecisions: DefineCommand = (command) => {
  const addCommand = (name: string, description: string) =>
    command.subcommand(name, description).argument('<ids...>', 'IDs of the exceptions', parseIntegerList);
  const print = (context: SiteContext, exceptions: ExceptionRow[], result: string) =>
    printMatchDecision(context, { exceptions }, ['exception', 'exceptions'], result);

  for (const [name, description, result] of [
    ['accept', 'Accept exceptions until their records change', 'accepted'],
    ['reopen', 'Reopen accepted exceptions', 'reopened'],
  ] as const) {
    addCommand(name, description)
      .reasonOption()
      .runOnSite(async (context, ids: number[], { reason }: { reason: string }) => {
        const { client, site } = context;
        await print(context, await client.exceptions[name]({ site, ids, reason }), result);
      });
  }
  addCommand('assign', 'Assign exceptions to a person')
    .option('--to <name>', 'name of the person')
    .option('--nobody', 'remove the assignment')
    .run(async (cli, ids: number[], { to, nobody }: { to?: string; nobody?: true }) => {
      if ((to === undefined) === (nobody === undefined)) {
        throw createUsageError(
          'The assignee is missing or ambiguous.',
          'Enter either --to NAME or --nobody.',
        );
      }
      const context = await openSite(cli);
      const { client, site } = context;
      const exceptions = await client.exceptions.assign({ site, ids, assigned: to ?? null });
      await print(context, exceptions, to === undefined ? 'unassigned' : `assigned to ${to}`);
    });
};
