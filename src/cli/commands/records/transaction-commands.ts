import type { Inputs } from '../../../contract/contract.ts';
import type { TransactionRow } from '../../../contract/statements/transactions.ts';
import {
  addPageOptions,
  collectWords,
  createChoiceOption,
  omitUndefined,
  type PageOptions,
  parseDate,
  parseServiceId,
} from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatMinute, formatMoney, formatNumber } from '../../output/format-values.ts';
import type { TableColumn } from '../../output/table.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import type { StoredSite } from '../../runtime/environment.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';

type Filter = NonNullable<Inputs['transactions']['list']['filter']>;

interface TransactionListOptions extends PageOptions {
  readonly type?: string[];
  readonly kind?: string[];
  readonly subscription?: number;
  readonly since?: string;
  readonly until?: string;
  readonly sort: 'created_at' | 'id';
  readonly direction: 'asc' | 'desc';
}

export const defineTransactionCommands: DefineCommand = (command, handle) => {
  addPageOptions(command.command('list').description('List transactions'))
    .option('--type <type>', 'only this type, for example charge or payment (repeatable)', collectWords)
    .option('--kind <kind>', 'only this kind, for example baseline (repeatable)', collectWords)
    .option('--subscription <id>', 'only transactions of this subscription', parseServiceId)
    .option('--since <date>', "only created on or after this date in the site's time zone", parseDate)
    .option('--until <date>', 'only created on or before this date', parseDate)
    .addOption(createChoiceOption('--sort <field>', 'order by', ['created_at', 'id']).default('created_at'))
    .addOption(createChoiceOption('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('desc'))
    .action(
      handle.list(async (cli, options: TransactionListOptions) => {
        const { client, site, details } = await cli.session.openSite();
        const { transactionRowSchema } = await import('../../../contract/statements/transactions.ts');
        const query = {
          site,
          filter: toFilter(options),
          sort: { by: options.sort, direction: options.direction },
        };
        const footer = createPageFooter('transactions');
        await cli.output.list<TransactionRow>({
          columns: columns(details),
          fields: Object.keys(transactionRowSchema.shape),
          pages: fetchPages(options, (page) => client.transactions.list({ ...query, ...page })),
          footer: (shown, first, next) =>
            [...formatSums(first, details), footer(shown, first, next)].join('\n'),
          empty: 'No transactions found. See what is stored with: tieout status',
        });
        await printMissingDataNote(cli, client, { site, part: 'statements' });
      }),
    );
};

function toFilter({ type, kind, subscription, since, until }: TransactionListOptions): Filter {
  return omitUndefined({ type, kind, subscription_id: subscription, since, until });
}

type Sums = { readonly type: string; readonly count: number; readonly amount_in_cents: number }[] | null;

function formatSums(first: object, { currency }: StoredSite): string[] {
  const sums = (first as { sums?: Sums }).sums ?? [];
  return sums.map((sum) =>
    sanitizeLine(
      `${sum.type}: ${formatNumber(sum.count)}, total ${formatMoney(sum.amount_in_cents)} ${currency}`,
    ),
  );
}

const columns = ({ currency }: StoredSite): TableColumn<TransactionRow>[] => [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'created', cell: ({ created_at }) => formatMinute(created_at) },
  { header: 'statement', cell: ({ statement_id }) => statement_id, align: 'right', isOptional: true },
  { header: 'type', cell: ({ transaction_type }) => transaction_type },
  { header: 'kind', cell: ({ kind }) => kind, minWidth: 8 },
  { header: `amount ${currency}`, cell: (row) => formatMoney(row.amount_in_cents), align: 'right' },
  { header: `balance ${currency}`, cell: (row) => formatMoney(row.ending_balance_in_cents), align: 'right' },
  { header: 'success', cell: ({ success }) => (success === null ? '' : success ? 'yes' : 'no') },
  { header: 'memo', cell: ({ memo }) => memo, minWidth: 12, isOptional: true },
];
