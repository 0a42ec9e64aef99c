import {
  type ReportTableName,
  type ReportTablePage,
  reportTableNames,
} from '../../../contract/periods/reports.ts';
import type { PagingOptions } from '../../input/options.ts';
import { formatMoney, formatNumber } from '../../output/format-values.ts';
import { fetchPages } from '../../output/print-list.ts';
import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { addPeriodOption, type PeriodOptions } from './period-options.ts';

type TableOptions = PagingOptions & PeriodOptions & { readonly table: ReportTableName };
type Row = Readonly<Record<string, string | number | null>>;
type Column = ReportTablePage['columns'][number];

export const defineReportTableCommand: DefineCommand = (command) => {
  command
    .subcommand('table', 'Show a list of the period report, for example the aging of customer balances')
    .with(addPeriodOption)
    .choiceOption('--table <table>', 'list to show', reportTableNames, 'customers')
    .pageOptions()
    .listOnSite(printReportTable);
};

async function printReportTable(
  { client, site, output }: SiteContext,
  { period, table, ...paging }: TableOptions,
): Promise<void> {
  const pages = fetchPages(paging, (page) => client.reports.table({ site, period, table, ...page }));
  const { value: first, done } = await pages.next();
  if (done === true) return;
  const toRows = ({ columns, rows, next, total }: ReportTablePage) => ({
    rows: rows.map(
      ({ cells }): Row => Object.fromEntries(columns.map(({ name }, at) => [name, cells[at] ?? null])),
    ),
    next,
    total,
  });
  async function* remaining() {
    yield toRows(first as ReportTablePage);
    for await (const page of pages) yield toRows(page);
  }
  await output.list({
    columns: first.columns.map(toTableColumn),
    fields: first.columns.map(({ name }) => name),
    pages: remaining(),
    footer: (shown, { total }, next) =>
      `${formatNumber(shown)} of ${formatNumber(total?.count ?? shown)} rows${next === null ? '' : `. Next page: --after ${next}`}`,
    empty: first.empty,
  });
}

function toTableColumn({ name, header, kind }: Column): TableColumn<Row> {
  const format = (value: string | number | null | undefined) =>
    kind === 'cents' && typeof value === 'number' ? formatMoney(value) : value;
  return {
    header,
    cell: (row) => format(row[name]),
    ...(kind === 'text' ? { minWidth: 12 } : { align: 'right' }),
  };
}
