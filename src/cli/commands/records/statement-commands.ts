import type { StatementDetail, StatementRow } from '../../../contract/statements/statements.ts';
import {
  addPageOptions,
  createChoiceOption,
  createIntegerParser,
  type PageOptions,
  parseServiceId,
} from '../../input/options.ts';
import {
  addStatementFilterOptions,
  type StatementFilterOptions,
  toStatementFilter,
} from '../../input/statement-filter.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatBytes, formatDay, formatMoney } from '../../output/format-values.ts';
import { formatLabeledValues, formatTableLines, type TableColumn } from '../../output/table.ts';
import { sanitizeText } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import type { StoredSite } from '../../runtime/environment.ts';
import { indexForSearch } from '../../runtime/search-index.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';

interface StatementListOptions extends PageOptions, StatementFilterOptions {
  readonly sort: 'closed_at' | 'opened_at' | 'id' | 'ending_balance_in_cents' | 'customer_name';
  readonly direction: 'asc' | 'desc';
}

export const defineStatementCommands: DefineCommand = (command, handle) => {
  addStatementFilterOptions(addPageOptions(command.command('list').description('List statements')))
    .addOption(
      createChoiceOption('--sort <field>', 'order by', [
        'closed_at',
        'opened_at',
        'id',
        'ending_balance_in_cents',
        'customer_name',
      ]).default('closed_at'),
    )
    .addOption(createChoiceOption('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('desc'))
    .action(
      handle.list(async (cli, options: StatementListOptions) => {
        const filter = toStatementFilter(options);
        const { client, site, details } = await cli.session.openSite();
        const { statementRowSchema } = await import('../../../contract/statements/statements.ts');
        await indexForSearch(cli, client, { site, of: 'statements', filter });
        const sort = { by: options.sort, direction: options.direction };
        const footer = createPageFooter('statements');
        await cli.output.list<StatementRow>({
          columns: columns(details),
          fields: Object.keys(statementRowSchema.shape),
          pages: fetchPages(options, (page) => client.statements.list({ site, filter, sort, ...page })),
          footer: (shown, first, next) => [...sums(first, details), footer(shown, first, next)].join('\n'),
          empty: 'No statements found. See what is stored with: tieout status',
        });
        await printMissingDataNote(cli, client, { site, part: 'statements' });
      }),
    );

  command
    .command('show')
    .description('Show a statement with its figures, transactions, events and text')
    .argument('<id>', 'ID of the statement', parseServiceId)
    .action(
      handle(async (cli, id: number) => {
        const { client, site, details } = await cli.session.openSite();
        const statement = await client.statements.get({ site, id });
        await cli.output.document(statement, () => formatStatement(statement, details));
      }),
    );

  command
    .command('pdf')
    .description('Save the PDF of a statement; it is downloaded if it is not in the archive')
    .argument('<id>', 'ID of the statement', parseServiceId)
    .requiredOption('-o, --output <file>', 'file to write, or - for stdout')
    .option('--redownload-deleted', 'download the PDF even if it was deleted from the archive')
    .option(
      '--pdf-version <n>',
      'number of an older version, as listed by `tieout archive files --json`',
      createIntegerParser(1),
    )
    .action(
      handle(
        async (
          cli,
          id: number,
          { output, ...which }: { output: string; redownloadDeleted?: true; pdfVersion?: number },
        ) => {
          const { writeStatementPdf } = await import('./statement-pdf.ts');
          const written = await writeStatementPdf(cli, id, output, which);
          if (output === '-') return;
          await cli.output.document(written, () => [
            `${written.file} (${formatBytes(written.bytes)}, SHA-256 ${written.sha256})`,
          ]);
        },
      ),
    );
};

const columns = ({ currency }: StoredSite): TableColumn<StatementRow>[] => [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'subscription', cell: (row) => row.subscription_id, align: 'right', isOptional: true },
  { header: 'customer', cell: (row) => row.customer_name, minWidth: 12 },
  { header: 'state', cell: ({ state }) => state },
  { header: 'opened', cell: (row) => formatDay(row.opened_at), isOptional: true },
  { header: 'closed', cell: (row) => formatDay(row.closed_at) },
  {
    header: `opening ${currency}`,
    cell: (row) => formatMoney(row.starting_balance_in_cents),
    align: 'right',
  },
  { header: 'charges', cell: (row) => formatMoney(row.charges_in_cents), align: 'right' },
  { header: 'payments', cell: (row) => formatMoney(row.payments_in_cents), align: 'right' },
  { header: 'closing', cell: (row) => formatMoney(row.ending_balance_in_cents), align: 'right' },
  { header: 'pdf', cell: (row) => (row.pdf_stored ? 'stored' : ''), isOptional: true },
];

interface Sums {
  readonly charges_in_cents: number;
  readonly payments_in_cents: number;
}

function sums(first: object, { currency }: StoredSite): string[] {
  const { sums } = first as { sums?: Sums | null };
  if (!sums) return [];
  const { charges_in_cents, payments_in_cents } = sums;
  // Each closing balance carries over to the next statement, so a sum of closing balances has no meaning.
  return [`charges ${formatMoney(charges_in_cents)}, payments ${formatMoney(payments_in_cents)} ${currency}`];
}

/** Formats a statement with its transactions, events and plain text. */
function formatStatement(statement: StatementDetail, { currency }: StoredSite): string[] {
  const { transactions, events, text_view } = statement;
  return [
    ...formatLabeledValues([
      ['statement', statement.id],
      ['subscription', statement.subscription_id],
      ['customer', statement.customer_name],
      ['organization', statement.customer_organization],
      ['state', statement.state],
      ['opened', statement.opened_at],
      ['closed', statement.closed_at],
      ['settled', statement.settled_at],
      [`opening balance (${currency})`, formatMoney(statement.starting_balance_in_cents)],
      ['charges', formatMoney(statement.charges_in_cents)],
      ['payments', formatMoney(statement.payments_in_cents)],
      ['closing balance', formatMoney(statement.ending_balance_in_cents)],
      ['memo', statement.memo],
      [
        'PDF',
        statement.pdf_stored
          ? 'in the archive'
          : `not stored, download with: tieout statements pdf ${statement.id} -o FILE`,
      ],
      ['missing at the service since', statement.vanished_at],
      ['synced', statement.synced_at],
    ]),
    ...section('transactions', formatTableLines(transactionColumns, transactions), transactions),
    ...section('events', formatTableLines(eventColumns, events), events),
    ...(text_view === null ? [] : ['', 'text', ...sanitizeText(text_view).split('\n')]),
  ];
}

function section(title: string, lines: readonly string[], rows: readonly unknown[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

const transactionColumns: TableColumn<StatementDetail['transactions'][number]>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'created', cell: ({ created_at }) => created_at },
  { header: 'type', cell: ({ transaction_type }) => transaction_type },
  { header: 'amount', cell: (row) => formatMoney(row.amount_in_cents), align: 'right' },
  { header: 'balance', cell: (row) => formatMoney(row.ending_balance_in_cents), align: 'right' },
  { header: 'success', cell: ({ success }) => (success === null ? '' : success ? 'yes' : 'no') },
  { header: 'memo', cell: ({ memo }) => memo },
];

const eventColumns: TableColumn<StatementDetail['events'][number]>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'created', cell: ({ created_at }) => created_at },
  { header: 'event', cell: ({ key }) => key },
  { header: 'message', cell: ({ message }) => message },
];
