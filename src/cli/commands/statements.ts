import type { StatementDetail, StatementRow } from '../../contract/statements.ts';
import type { Site } from '../act.ts';
import { choice, type ListOptions, listOptions, serviceId, whole } from '../input/options.ts';
import {
  type StatementFilterOptions,
  statementFilter,
  statementFilterOptions,
} from '../input/statement-filter.ts';
import { day, money, size } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import { type Column, pairLines, tableLines } from '../output/table.ts';
import { printableLines } from '../output/text.ts';
import { makeSearchable } from '../searchable.ts';
import { sayMissing } from '../stands-on.ts';
import type { Define } from '../verbs.ts';

interface StatementListOptions extends ListOptions, StatementFilterOptions {
  readonly sort: 'closed_at' | 'opened_at' | 'id' | 'ending_balance_in_cents' | 'customer_name';
  readonly direction: 'asc' | 'desc';
}

export const define: Define = (command, act) => {
  statementFilterOptions(listOptions(command.command('list').description('List statements.')))
    .addOption(
      choice('--sort <field>', 'order by', [
        'closed_at',
        'opened_at',
        'id',
        'ending_balance_in_cents',
        'customer_name',
      ]).default('closed_at'),
    )
    .addOption(choice('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('desc'))
    .action(
      act.list(async (cli, options: StatementListOptions) => {
        const filter = statementFilter(options);
        const { client, site, about } = await cli.session.local();
        const { statementRow } = await import('../../contract/statements.ts');
        await makeSearchable(cli, client, { site, of: 'statements', filter });
        const sort = { by: options.sort, direction: options.direction };
        const footer = pageFooter('statements');
        await cli.out.list<StatementRow>({
          columns: columns(about),
          fields: Object.keys(statementRow.shape),
          pages: pagesOf(options, (place) => client.statements.list({ site, filter, sort, ...place })),
          footer: (shown, first, next) => [...sums(first, about), footer(shown, first, next)].join('\n'),
          empty: 'No statement fits. What is held, and how fresh it is: tieout status',
        });
        await sayMissing(cli, client, { site, part: 'statements' });
      }),
    );

  command
    .command('show')
    .description('Show a statement: figures, transactions, events, text.')
    .argument('<id>', 'the statement', serviceId)
    .action(
      act(async (cli, id: number) => {
        const { client, site, about } = await cli.session.local();
        const statement = await client.statements.get({ site, id });
        await cli.out.document(statement, () => statementLines(statement, about));
      }),
    );

  command
    .command('pdf')
    .description('Write the PDF of a statement to a file; fetched first where the archive has none.')
    .argument('<id>', 'the statement', serviceId)
    .requiredOption('-o, --output <file>', 'the file to write, or - for stdout')
    .option('--again', 'fetch it even where somebody has deleted it from the archive')
    .option('--rendering <n>', 'an older one, by its number; see: tieout archive files --json', whole(1))
    .action(
      act(
        async (
          cli,
          id: number,
          { output, ...which }: { output: string; again?: true; rendering?: number },
        ) => {
          const { writePdf } = await import('./statement-pdf.ts');
          const written = await writePdf(cli, id, output, which);
          if (output === '-') return;
          await cli.out.document(written, () => [
            `${written.file} (${size(written.bytes)}, SHA-256 ${written.sha256})`,
          ]);
        },
      ),
    );
};

const columns = ({ currency }: Site): Column<StatementRow>[] => [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'subscription', cell: (row) => row.subscription_id, align: 'right', spare: true },
  { header: 'customer', cell: (row) => row.customer_name, least: 12 },
  { header: 'state', cell: ({ state }) => state },
  { header: 'opened', cell: (row) => day(row.opened_at), spare: true },
  { header: 'closed', cell: (row) => day(row.closed_at) },
  { header: `opening ${currency}`, cell: (row) => money(row.starting_balance_in_cents), align: 'right' },
  { header: 'charges', cell: (row) => money(row.charges_in_cents), align: 'right' },
  { header: 'payments', cell: (row) => money(row.payments_in_cents), align: 'right' },
  { header: 'closing', cell: (row) => money(row.ending_balance_in_cents), align: 'right' },
  { header: 'pdf', cell: (row) => (row.pdf_held ? 'held' : ''), spare: true },
];

interface Sums {
  readonly charges_in_cents: number;
  readonly payments_in_cents: number;
}

function sums(first: object, { currency }: Site): string[] {
  const { sums } = first as { sums?: Sums | null };
  if (!sums) return [];
  const { charges_in_cents, payments_in_cents } = sums;
  // A closing balance is carried into the next statement, so a sum of them says nothing.
  return [`charges ${money(charges_in_cents)}, payments ${money(payments_in_cents)} ${currency}`];
}

/** A statement for reading. */
function statementLines(statement: StatementDetail, { currency }: Site): string[] {
  const { transactions, events, text_view } = statement;
  return [
    ...pairLines([
      ['statement', statement.id],
      ['subscription', statement.subscription_id],
      ['customer', statement.customer_name],
      ['organization', statement.customer_organization],
      ['state', statement.state],
      ['opened', statement.opened_at],
      ['closed', statement.closed_at],
      ['settled', statement.settled_at],
      [`opening balance (${currency})`, money(statement.starting_balance_in_cents)],
      ['charges', money(statement.charges_in_cents)],
      ['payments', money(statement.payments_in_cents)],
      ['closing balance', money(statement.ending_balance_in_cents)],
      ['memo', statement.memo],
      [
        'pdf',
        statement.pdf_held
          ? 'in the archive'
          : `not held; get it with: tieout statements pdf ${statement.id} -o FILE`,
      ],
      ['no longer listed since', statement.vanished_at],
      ['read at', statement.synced_at],
    ]),
    ...section('transactions', tableLines(transactionColumns, transactions), transactions),
    ...section('events', tableLines(eventColumns, events), events),
    ...(text_view === null ? [] : ['', 'text', ...printableLines(text_view).split('\n')]),
  ];
}

function section(title: string, lines: readonly string[], rows: readonly unknown[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

const transactionColumns: Column<StatementDetail['transactions'][number]>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'created', cell: ({ created_at }) => created_at },
  { header: 'type', cell: ({ transaction_type }) => transaction_type },
  { header: 'amount', cell: (row) => money(row.amount_in_cents), align: 'right' },
  { header: 'balance', cell: (row) => money(row.ending_balance_in_cents), align: 'right' },
  { header: 'success', cell: ({ success }) => (success === null ? '' : success ? 'yes' : 'no') },
  { header: 'memo', cell: ({ memo }) => memo },
];

const eventColumns: Column<StatementDetail['events'][number]>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'created', cell: ({ created_at }) => created_at },
  { header: 'event', cell: ({ key }) => key },
  { header: 'message', cell: ({ message }) => message },
];
