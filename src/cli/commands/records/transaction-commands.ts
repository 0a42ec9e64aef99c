import type { ContractInputs } from '../../../contract/contract.ts';
import type { TransactionRow } from '../../../contract/statements/transactions.ts';
import {
  type ListOptions,
  parseDate,
  parseServiceId,
  parseWordList,
  toListRequest,
} from '../../input/options.ts';
import { formatMinute, formatMoney, formatNumber } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import { createMoneyColumn, type TableColumn } from '../../output/table.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { StoredSite } from '../../runtime/app-session.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';

type ListInput = ContractInputs['transactions']['list'];

export const defineTransactionCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List transactions')
    .pageOptions()
    .option(
      '--type <type>',
      'only transactions of this type, for example charge or payment (repeatable)',
      parseWordList,
    )
    .option(
      '--kind <kind>',
      'only transactions of this kind, for example baseline (repeatable)',
      parseWordList,
    )
    .option('--subscription <id>', 'only transactions of this subscription', parseServiceId)
    .option(
      '--since <date>',
      "only transactions created on or after this date in the site's time zone",
      parseDate,
    )
    .option('--until <date>', 'only transactions created on or before this date', parseDate)
    .sortOptions(['created_at', 'id'], 'desc')
    .listOnSite(async (context, options: ListOptions<ListInput>) => {
      const { client, site, details } = context;
      const query = { site, ...toListRequest<ListInput>(options) };
      await printList(context, options, {
        columns: createColumns(details),
        fields: async () =>
          (await import('../../../contract/statements/transactions.ts')).transactionRowSchema,
        fetchPage: (page) => client.transactions.list({ ...query, ...page }),
        noun: 'transactions',
        footer: (count, { sums }) =>
          [...(sums ?? []).map((sum) => formatSum(sum, details)), count].join('\n'),
        empty: 'No transactions found. See what is stored with: tieout status',
      });
      await printMissingDataNote(context, 'statements');
    });
};

function formatSum(
  { type, count, amount_in_cents }: { type: string; count: number; amount_in_cents: number },
  { currency }: StoredSite,
): string {
  return sanitizeLine(`${type}: ${formatNumber(count)}, total ${formatMoney(amount_in_cents)} ${currency}`);
}

const createColumns = ({ currency }: StoredSite): TableColumn<TransactionRow>[] => [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'created', cell: ({ created_at }) => formatMinute(created_at) },
  { header: 'statement', cell: ({ statement_id }) => statement_id, align: 'right', isOptional: true },
  { header: 'type', cell: ({ transaction_type }) => transaction_type },
  { header: 'kind', cell: ({ kind }) => kind, minWidth: 8 },
  createMoneyColumn(`amount ${currency}`, (row) => row.amount_in_cents),
  createMoneyColumn(`balance ${currency}`, (row) => row.ending_balance_in_cents),
  { header: 'success', cell: ({ success }) => (success === null ? '' : success ? 'yes' : 'no') },
  { header: 'memo', cell: ({ memo }) => memo, minWidth: 12, isOptional: true },
];
