import type { BankLine } from '../../../contract/bank/bank-lines.ts';
import { bankLineColumns } from '../../formatters/bank.ts';
import { type MatchState, matchStateHelp, matchStates } from '../../input/match-states.ts';
import {
  addPageOptions,
  addSortOptions,
  collectWords,
  createChoiceOption,
  createIntegerParser,
  createListParser,
  omitUndefined,
  type PageOptions,
  parseDate,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { findAccountIds } from './find-accounts.ts';

interface LineOptions extends PageOptions {
  readonly account?: string[];
  readonly import?: number;
  readonly state?: MatchState[];
  readonly flow?: 'in' | 'out';
  readonly since?: string;
  readonly until?: string;
  readonly search?: string;
  readonly sort: 'booked_on' | 'amount_in_cents';
  readonly direction: 'asc' | 'desc';
}

export const defineBankLineCommand: DefineCommand = (command, handle) => {
  const lines = addPageOptions(command.command('lines').description('List bank lines, newest first'))
    .option('--account <name>', 'only lines of this account (repeatable)', collectWords)
    .option('--import <id>', 'only lines of this import', createIntegerParser(1))
    .option('--state <list>', matchStateHelp, createListParser(matchStates))
    .addOption(
      createChoiceOption('--flow <direction>', 'only money received (in) or paid (out)', ['in', 'out']),
    )
    .option('--since <date>', 'only booked on or after this date', parseDate)
    .option('--until <date>', 'only booked on or before this date', parseDate)
    .option('--search <text>', 'search texts and IDs, or enter an amount such as 19.90');
  addSortOptions(lines, ['booked_on', 'amount_in_cents'], 'desc').action(
    handle.list(async (cli, options: LineOptions) => {
      const { client, site } = await cli.session.openSite();
      const { bankLineSchema } = await import('../../../contract/bank/bank-lines.ts');
      const { account, import: importId, state, flow, since, until, search } = options;
      const filter = {
        ...(account === undefined ? {} : { account: await findAccountIds(client, site, account) }),
        ...omitUndefined({ import: importId, state, flow, since, until, search }),
      };
      const sort = { by: options.sort, direction: options.direction };
      await cli.output.list<BankLine>({
        columns: bankLineColumns,
        fields: Object.keys(bankLineSchema.shape),
        pages: fetchPages(options, (page) => client.bank.lines({ site, filter, sort, ...page })),
        footer: createPageFooter('lines'),
        empty: 'No bank lines match the filter.',
      });
    }),
  );
};
