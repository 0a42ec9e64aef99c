import type { ContractInputs } from '../../../contract/contract.ts';
import { bankLineColumns } from '../../formatters/bank.ts';
import {
  createIntegerParser,
  type ListOptions,
  parseDate,
  parseWordList,
  toListRequest,
} from '../../input/options.ts';
import { printList } from '../../output/print-list.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { addMatchStateOption } from '../shared/match-state-option.ts';
import { findBankAccountIds } from './find-accounts.ts';

type ListInput = ContractInputs['bank']['lines'];
type LineOptions = Omit<ListOptions<ListInput>, 'account'> & { readonly account?: string[] };

export const defineBankLineCommand: DefineCommand = (command) => {
  command
    .subcommand('lines', 'List bank lines, newest first')
    .pageOptions()
    .option('--account <name>', 'only lines of this account (repeatable)', parseWordList)
    .option('--import <id>', 'only lines of this import', createIntegerParser(1))
    .with(addMatchStateOption)
    .choiceOption('--flow <direction>', 'only money received (in) or paid (out)', ['in', 'out'])
    .option('--since <date>', 'only lines booked on or after this date', parseDate)
    .option('--until <date>', 'only lines booked on or before this date', parseDate)
    .option('--search <text>', 'search for words, IDs or an amount, for example 19.90')
    .sortOptions(['booked_on', 'amount_in_cents'], 'desc')
    .listOnSite(async (context, { account: names, ...options }: LineOptions) => {
      const { client, site } = context;
      const account = names && { account: await findBankAccountIds(context, names) };
      const query = { site, ...toListRequest<ListInput>({ ...options, ...account }) };
      await printList(context, options, {
        columns: bankLineColumns,
        fields: async () => (await import('../../../contract/bank/bank-lines.ts')).bankLineSchema,
        fetchPage: (page) => client.bank.lines({ ...query, ...page }),
        noun: 'lines',
        empty: 'No bank lines match the filter.',
      });
    });
};
