import type { Inputs } from '../../../contract/contract.ts';
import { bankLineColumns } from '../../formatters/bank.ts';
import {
  collectWords,
  createIntegerParser,
  type ListOptions,
  parseDate,
  toListInput,
} from '../../input/options.ts';
import { printPages } from '../../output/print-pages.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { addMatchStateOption } from '../shared/match-state-option.ts';
import { findAccountIds } from './find-accounts.ts';

type ListInput = Inputs['bank']['lines'];
type LineOptions = Omit<ListOptions<ListInput>, 'account'> & { readonly account?: string[] };

export const defineBankLineCommand: DefineCommand = (command) => {
  command
    .subcommand('lines', 'List bank lines, newest first')
    .pageOptions()
    .option('--account <name>', 'only lines of this account (repeatable)', collectWords)
    .option('--import <id>', 'only lines of this import', createIntegerParser(1))
    .with(addMatchStateOption)
    .choiceOption('--flow <direction>', 'only money received (in) or paid (out)', ['in', 'out'])
    .option('--since <date>', 'only booked on or after this date', parseDate)
    .option('--until <date>', 'only booked on or before this date', parseDate)
    .option('--search <text>', 'search texts and IDs, or enter an amount such as 19.90')
    .sortOptions(['booked_on', 'amount_in_cents'], 'desc')
    .listOnSite(async (context, { account: names, ...options }: LineOptions) => {
      const { client, site } = context;
      const account = names && { account: await findAccountIds(context, names) };
      const query = { site, ...toListInput<ListInput>({ ...options, ...account }) };
      await printPages(context, options, {
        columns: bankLineColumns,
        fields: async () => (await import('../../../contract/bank/bank-lines.ts')).bankLineSchema,
        fetchPage: (page) => client.bank.lines({ ...query, ...page }),
        noun: 'lines',
        empty: 'No bank lines match the filter.',
      });
    });
};
