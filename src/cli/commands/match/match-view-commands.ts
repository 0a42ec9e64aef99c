import type { Inputs } from '../../../contract/contract.ts';
import { formatMatch, matchColumns } from '../../formatters/matches.ts';
import {
  collectWords,
  createIntegerParser,
  createListParser,
  type ListOptions,
  parseDate,
  parseServiceId,
  toListInput,
} from '../../input/options.ts';
import { printPages } from '../../output/print-pages.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { printOutdatedMatchesNote } from '../shared/completeness-notes.ts';

const statuses = ['confirmed', 'suggested', 'ambiguous', 'declined', 'undone'] as const;

type ListInput = Inputs['match']['list'];

export const defineMatchViewCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List matches, newest first')
    .pageOptions()
    .option(
      '--status <list>',
      `only these statuses, comma-separated: ${statuses.join(', ')}`,
      createListParser(statuses),
      ['confirmed', 'suggested', 'ambiguous'],
    )
    .option('--rule <rule>', 'only matches of this rule (repeatable)', collectWords)
    .option('--line <id>', 'only matches with this bank line', createIntegerParser(1))
    .option('--transaction <id>', 'only matches with this payment', parseServiceId)
    .option('--since <date>', 'only booked on or after this date', parseDate)
    .option('--until <date>', 'only booked on or before this date', parseDate)
    .option('--search <text>', 'search lines and payments for words or IDs, or enter an amount such as 19.90')
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
  const query = { site, ...toListInput<ListInput>(options), members: isTable ? 1 : 10_000 };
  await printPages(context, all ? { all } : options, {
    columns: matchColumns,
    fields: async () => (await import('../../../contract/matching/match-groups.ts')).matchGroupSchema,
    fetchPage: (page) => client.match.list({ ...query, ...page }),
    noun: 'matches',
    empty: 'No matches found. Match the stored records with: tieout match run',
  });
  await printOutdatedMatchesNote(context);
}
