import type { StatementDetail, StatementRow } from '../../../contract/statements/statements.ts';
import {
  createIntegerParser,
  type PagingOptions,
  parseServiceId,
  type SortDirection,
} from '../../input/options.ts';
import { formatBytes, formatDay, formatMoney } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import {
  createMoneyColumn,
  formatLabeledValues,
  formatTableLines,
  type TableColumn,
} from '../../output/table.ts';
import { sanitizeText, type TextLines } from '../../output/terminal-text.ts';
import type { StoredSite } from '../../runtime/app-session.ts';
import { type DefineCommand, openSite } from '../../runtime/cli-command.ts';
import { updateSearchIndex } from '../../runtime/search-index.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';
import {
  addStatementFilterOptions,
  type StatementFilterOptions,
  toStatementFilter,
} from '../shared/statement-filter.ts';
import type { PdfOptions } from './statement-pdf.ts';

interface StatementListOptions extends PagingOptions, StatementFilterOptions {
  readonly sort: 'closed_at' | 'opened_at' | 'id' | 'ending_balance_in_cents' | 'customer_name';
  readonly direction: SortDirection;
}

export const defineStatementCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List statements')
    .pageOptions()
    .with(addStatementFilterOptions)
    .sortOptions(['closed_at', 'opened_at', 'id', 'ending_balance_in_cents', 'customer_name'], 'desc')
    .runList(async (cli, options: StatementListOptions) => {
      const filter = toStatementFilter(options);
      const context = await openSite(cli);
      const { client, site, details } = context;
      await updateSearchIndex(context, 'statements', filter);
      const query = { site, filter, sort: { by: options.sort, direction: options.direction } };
      await printList(context, options, {
        columns: createColumns(details),
        fields: async () => (await import('../../../contract/statements/statements.ts')).statementRowSchema,
        fetchPage: (page) => client.statements.list({ ...query, ...page }),
        noun: 'statements',
        // Each closing balance carries over to the next statement, so a sum of closing balances would be meaningless.
        footer: (count, { sums }) =>
          sums
            ? `charges ${formatMoney(sums.charges_in_cents)}, payments ${formatMoney(sums.payments_in_cents)} ${details.currency}\n${count}`
            : count,
        empty: 'No statements found. See what is stored with: tieout status',
      });
      await printMissingDataNote(context, 'statements');
    });

  command
    .subcommand('show', 'Show a statement with its figures, transactions, events and text')
    .argument('<id>', 'ID of the statement', parseServiceId)
    .runOnSite(async ({ client, site, details, output }, id: number) => {
      const statement = await client.statements.get({ site, id });
      await output.document(statement, () => formatStatement(statement, details));
    });

  command
    .subcommand('pdf', 'Save the PDF of a statement, after downloading it if it is not in the archive')
    .argument('<id>', 'ID of the statement', parseServiceId)
    .requiredOption('-o, --output <file>', 'file to write, or - for stdout')
    .option('--replace', 'overwrite an existing file')
    .option('--redownload-deleted', 'download the PDF even if someone deleted it from the archive')
    .option(
      '--pdf-version <n>',
      'number of an older version, as listed by `tieout archive files --json`',
      createIntegerParser(1),
    )
    .run(async (cli, id: number, options: PdfOptions) => {
      const { writeStatementPdf } = await import('./statement-pdf.ts');
      const written = await writeStatementPdf(cli, id, options);
      if (options.output === '-') return;
      await cli.output.document(written, () => [
        `${written.file} (${formatBytes(written.bytes)}, SHA-256 ${written.sha256})`,
      ]);
    });
};

const createColumns = ({ currency }: StoredSite): TableColumn<StatementRow>[] => [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'subscription', cell: (row) => row.subscription_id, align: 'right', isOptional: true },
  { header: 'customer', cell: (row) => row.customer_name, minWidth: 12 },
  { header: 'state', cell: ({ state }) => state },
  { header: 'opened', cell: (row) => formatDay(row.opened_at), isOptional: true },
  { header: 'closed', cell: (row) => formatDay(row.closed_at) },
  createMoneyColumn(`opening ${currency}`, (row) => row.starting_balance_in_cents),
  createMoneyColumn('charges', (row) => row.charges_in_cents),
  createMoneyColumn('payments', (row) => row.payments_in_cents),
  createMoneyColumn('closing', (row) => row.ending_balance_in_cents),
  { header: 'pdf', cell: (row) => (row.pdf_stored ? 'stored' : ''), isOptional: true },
];

/** Formats a statement with its transactions, events and plain text. */
function formatStatement(statement: StatementDetail, { currency }: StoredSite): TextLines {
  const { id, transactions, events, text_view, pdf_stored } = statement;
  return [
    formatLabeledValues([
      ['statement', id],
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
        pdf_stored ? 'in the archive' : `not stored, download with: tieout statements pdf ${id} -o FILE`,
      ],
      ['missing from the service since', statement.vanished_at],
      ['synced', statement.synced_at],
    ]),
    transactions.length > 0 && ['', 'transactions', indentTable(transactionColumns, transactions)],
    events.length > 0 && ['', 'events', indentTable(eventColumns, events)],
    text_view !== null && ['', 'text', sanitizeText(text_view).split('\n')],
  ];
}

const indentTable = <Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]) =>
  formatTableLines(columns, rows).map((line) => `  ${line}`);

const transactionColumns: TableColumn<StatementDetail['transactions'][number]>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'created', cell: ({ created_at }) => created_at },
  { header: 'type', cell: ({ transaction_type }) => transaction_type },
  createMoneyColumn('amount', (row) => row.amount_in_cents),
  createMoneyColumn('balance', (row) => row.ending_balance_in_cents),
  { header: 'success', cell: ({ success }) => (success === null ? '' : success ? 'yes' : 'no') },
  { header: 'memo', cell: ({ memo }) => memo },
];

const eventColumns: TableColumn<StatementDetail['events'][number]>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'created', cell: ({ created_at }) => created_at },
  { header: 'event', cell: ({ key }) => key },
  { header: 'message', cell: ({ message }) => message },
];
