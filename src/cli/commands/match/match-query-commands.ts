import type { ContractInputs } from '../../../contract/contract.ts';
import { formatMatch, matchGroupColumns } from '../../formatters/matches.ts';
import {
  createIntegerParser,
  createListParser,
  type ListOptions,
  parseDate,
  parseServiceId,
  parseWordList,
  toListRequest,
} from '../../input/options.ts';
import { printList } from '../../output/print-list.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { printOutdatedMatchesNote } from '../shared/completeness-notes.ts';

const statuses = ['confirmed', 'suggested', 'ambiguous', 'declined', 'undone'] as const;

type ListInput = ContractInputs['match']['list'];

export const defineMatchQueryCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List matches, newest first')
    .pageOptions()
    .option(
      '--status <list>',
      `only these statuses, comma-separated: ${statuses.join(', ')}`,
      createListParser(statuses),
      ['confirmed', 'suggested', 'ambiguous'],
    )
    .option('--rule <rule>', 'only matches from this matching pass (repeatable)', parseWordList)
    .option('--line <id>', 'only matches with this bank line', createIntegerParser(1))
    .option('--transaction <id>', 'only matches with this payment', parseServiceId)
    .option('--since <date>', 'only matches dated on or after this date', parseDate)
    .option('--until <date>', 'only matches dated on or before this date', parseDate)
    .option('--search <text>', 'search lines and payments for words, IDs or an amount, for example 19.90')
    .addHelpText('after', '\nJSON and CSV contain all matches unless you set --limit.')
    .sortOptions(['dated_on', 'amount_in_cents'], 'desc')
    .listOnSite(listMatches);

  command
    .subcommand('show', 'Show a match with its evidence, alternatives and history')
    .argument('<id>', 'ID of the match', createIntegerParser(1))
    .runOnSite(async ({ client, site, output }, id: number) => {
      const match = await client.match.get({ site, id });
      await output.document(match, () => formatMatch(match));
    });
};

async function listMatches(context: SiteContext, options: ListOptions<ListInput>): Promise<void> {
  const { client, site, output } = context;
  const isTable = output.format === 'table';
  const all = !isTable && options.limit === undefined && options.after === undefined;
  const query = { site, ...toListRequest<ListInput>(options), members: isTable ? 1 : 10_000 };
  await printList(context, all ? { all } : options, {
    columns: matchGroupColumns,
    fields: async () => (await import('../../../contract/matching/match-groups.ts')).matchGroupSchema,
    fetchPage: (page) => client.match.list({ ...query, ...page }),
    noun: 'matches',
    empty: 'No matches found. Match the stored records with: tieout match run',
  });
  await printOutdatedMatchesNote(context);
}
