import type { MatchGroup } from '../../../contract/matching/match-groups.ts';
import { formatMatch, matchColumns } from '../../formatters/matches.ts';
import {
  addPageOptions,
  addSortOptions,
  collectWords,
  createIntegerParser,
  createListParser,
  omitUndefined,
  type PageOptions,
  parseDate,
  parseServiceId,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { printOutdatedMatchesNote } from '../shared/completeness-notes.ts';

const statuses = ['confirmed', 'suggested', 'ambiguous', 'declined', 'undone'] as const;

interface MatchListOptions extends PageOptions {
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

export const defineMatchViewCommands: DefineCommand = (command, handle) => {
  const list = addPageOptions(command.command('list').description('List matches, newest first'))
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
    .addHelpText('after', '\nJSON and CSV contain all matches unless you set --limit.');
  addSortOptions(list, ['dated_on', 'amount_in_cents'], 'desc').action(
    handle.list(async (cli, options: MatchListOptions) => {
      const { client, site } = await cli.session.openSite();
      const { matchGroupSchema } = await import('../../../contract/matching/match-groups.ts');
      const { status, rule, line, transaction, since, until, search } = options;
      const isTable = cli.output.format === 'table';
      const all = !isTable && options.limit === undefined && options.after === undefined;
      const query = {
        site,
        filter: { status, ...omitUndefined({ rule, line, transaction, since, until, search }) },
        sort: { by: options.sort, direction: options.direction },
        members: isTable ? 1 : 10_000,
      };
      await cli.output.list<MatchGroup>({
        columns: matchColumns,
        fields: Object.keys(matchGroupSchema.shape),
        pages: fetchPages(all ? { all } : options, (page) => client.match.list({ ...query, ...page })),
        footer: createPageFooter('matches'),
        empty: 'No matches found. Match the stored records with: tieout match run',
      });
      await printOutdatedMatchesNote(cli, client, site);
    }),
  );

  command
    .command('show')
    .description('Show a match with its evidence, alternatives and history')
    .argument('<id>', 'ID of the match', createIntegerParser(1))
    .action(
      handle(async (cli, id: number) => {
        const { client, site } = await cli.session.openSite();
        const match = await client.match.get({ site, id });
        await cli.output.document(match, () => formatMatch(match));
      }),
    );
};
