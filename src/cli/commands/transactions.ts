import type { Inputs } from '../../contract/contract.ts';
import type { TransactionRow } from '../../contract/transactions.ts';
import type { Site } from '../act.ts';
import { choice, date, given, type ListOptions, listOptions, serviceId, words } from '../input/options.ts';
import { count, minute, money } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import type { Column } from '../output/table.ts';
import { printable } from '../output/text.ts';
import { sayMissing } from '../stands-on.ts';
import type { Define } from '../verbs.ts';

type Filter = NonNullable<Inputs['transactions']['list']['filter']>;

interface TransactionListOptions extends ListOptions {
  readonly type?: string[];
  readonly kind?: string[];
  readonly subscription?: number;
  readonly since?: string;
  readonly until?: string;
  readonly sort: 'created_at' | 'id';
  readonly direction: 'asc' | 'desc';
}

export const define: Define = (command, act) => {
  listOptions(command.command('list').description('List transactions of the statements.'))
    .option('--type <type>', 'only this type, such as charge or payment; may be given again', words)
    .option('--kind <kind>', 'only this kind, such as baseline; may be given again', words)
    .option('--subscription <id>', 'only of this subscription', serviceId)
    .option('--since <day>', 'created on this day or later, in the calendar of the site', date)
    .option('--until <day>', 'created on this day or earlier', date)
    .addOption(choice('--sort <field>', 'order by', ['created_at', 'id']).default('created_at'))
    .addOption(choice('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('desc'))
    .action(
      act.list(async (cli, options: TransactionListOptions) => {
        const { client, site, about } = await cli.session.local();
        const { transactionRow } = await import('../../contract/transactions.ts');
        const selection = {
          site,
          filter: filterOf(options),
          sort: { by: options.sort, direction: options.direction },
        };
        const footer = pageFooter('transactions');
        await cli.out.list<TransactionRow>({
          columns: columns(about),
          fields: Object.keys(transactionRow.shape),
          pages: pagesOf(options, (place) => client.transactions.list({ ...selection, ...place })),
          footer: (shown, first, next) => [...sums(first, about), footer(shown, first, next)].join('\n'),
          empty: 'No transaction fits. What is held, and how fresh it is: tieout status',
        });
        await sayMissing(cli, client, { site, part: 'statements' });
      }),
    );
};

function filterOf({ type, kind, subscription, since, until }: TransactionListOptions): Filter {
  return given({ type, kind, subscription_id: subscription, since, until });
}

type Sums = { readonly type: string; readonly count: number; readonly amount_in_cents: number }[] | null;

function sums(first: object, { currency }: Site): string[] {
  const list = (first as { sums?: Sums }).sums ?? [];
  return list.map((sum) =>
    printable(`${sum.type}: ${count(sum.count)}, together ${money(sum.amount_in_cents)} ${currency}`),
  );
}

const columns = ({ currency }: Site): Column<TransactionRow>[] => [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'created', cell: ({ created_at }) => minute(created_at) },
  { header: 'statement', cell: ({ statement_id }) => statement_id, align: 'right', spare: true },
  { header: 'type', cell: ({ transaction_type }) => transaction_type },
  { header: 'kind', cell: ({ kind }) => kind, least: 8 },
  { header: `amount ${currency}`, cell: (row) => money(row.amount_in_cents), align: 'right' },
  { header: `balance ${currency}`, cell: (row) => money(row.ending_balance_in_cents), align: 'right' },
  { header: 'success', cell: ({ success }) => (success === null ? '' : success ? 'yes' : 'no') },
  { header: 'memo', cell: ({ memo }) => memo, least: 12, spare: true },
];
