import { resolve } from 'node:path';
import type { ReportFormat } from '../../../contract/periods/reports.ts';
import type { OpenItem, Workpaper } from '../../../contract/periods/workpapers.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { createChoiceOption, parseMonth } from '../../input/options.ts';
import { formatBytes, formatCount, formatMoney, formatNumber } from '../../output/format-values.ts';
import { formatTableLines, type TableColumn } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

interface ReportOptions {
  readonly period: string;
  readonly format: ReportFormat;
  readonly output?: string;
  readonly replace?: true;
}

type Line = Workpaper['sections'][number]['schedules'][number]['lines'][number];

export const defineReportCommand: DefineCommand = (command, handle) => {
  command
    .requiredOption('--period <month>', 'period as YYYY-MM', parseMonth)
    .addOption(
      createChoiceOption('--format <format>', 'file format', ['pdf', 'xlsx', 'csv', 'json']).default('pdf'),
    )
    .option('-o, --output <file>', 'file to write (default: show the schedules)')
    .option('--replace', 'overwrite an existing file')
    .addHelpText(
      'after',
      '\nThe figures are the same in every format. Exits with 1 if a difference is not 0, an item is unexplained or the closed figures are damaged.',
    )
    .action(
      handle(async (cli, { period, format, output, replace }: ReportOptions) => {
        const { client, site } = await cli.session.openSite();
        const workpaper = await client.workpapers.get({ site, period });
        const damage = workpaper.qualifications.filter(({ kind }) => kind === 'damaged');
        const code = workpaper.explained && damage.length === 0 ? exitCodes.success : exitCodes.findings;
        if (output === undefined) {
          const filter = { explained: false };
          const unexplained = await client.workpapers.items({ site, period, filter, limit: MAX_SHOWN_ITEMS });
          await cli.output.document(workpaper, () => [
            ...formatSchedules(workpaper),
            ...formatUnexplainedItems(unexplained.rows),
            formatConclusion(workpaper),
          ]);
          return code;
        }
        const file = await client.reports.write({
          site,
          period,
          format,
          path: resolve(output),
          replace: replace === true,
        });
        await cli.output.document({ ...file, explained: workpaper.explained }, () => [
          `${file.path}: ${formatBytes(file.bytes)}${file.pages === null ? '' : `, ${formatCount(file.pages, 'page')}`}.`,
          ...damage.map(({ message }) => `! ${message}`),
          formatConclusion(workpaper),
        ]);
        return code;
      }),
    );
};

function formatSchedules(workpaper: Workpaper): string[] {
  const { head, sections, qualifications } = workpaper;
  return [
    `${head.title}, ${head.period.period}, as of ${head.as_at} (${head.state === 'none' ? 'not opened' : head.state})`,
    ...sections.flatMap(({ currency, schedules, outstanding }) => [
      ...schedules.flatMap(({ id, title, lines }) => [
        '',
        `${id} ${title}, ${currency}`,
        ...formatTableLines(columns, lines, (process.stdout.columns || Number.POSITIVE_INFINITY) - 1),
      ]),
      '',
      `Outstanding: ${formatCount(outstanding.count, 'item')}, ${formatMoney(outstanding.amount_in_cents)} ${currency}; ${formatNumber(outstanding.unexplained)} unexplained.`,
    ]),
    ...qualifications.map(({ message }) => `! ${message}`),
  ];
}

/** Maximum number of unexplained items shown. Report files contain all of them. */
const MAX_SHOWN_ITEMS = 20;

function formatUnexplainedItems(items: readonly OpenItem[]): string[] {
  if (items.length === 0) return [];
  const width = (process.stdout.columns || Number.POSITIVE_INFINITY) - 1;
  return ['', 'Unexplained items, oldest first', ...formatTableLines(itemColumns, items, width), ''];
}

const formatConclusion = ({ explained }: Workpaper): string =>
  explained
    ? 'Every schedule foots. There are no unexplained items.'
    : 'There are differences or unexplained items.';

const columns: TableColumn<Line>[] = [
  { header: 'figure', cell: ({ id }) => id },
  { header: 'line', cell: ({ label }) => label, minWidth: 24 },
  { header: 'amount', cell: ({ amount_in_cents }) => formatMoney(amount_in_cents), align: 'right' },
  { header: 'rows', cell: (line) => (line.count === null ? '' : formatNumber(line.count)), align: 'right' },
  { header: 'tick marks', cell: ({ ticks }) => ticks.join(' ') },
  {
    header: 'unexplained',
    cell: ({ unexplained }) =>
      unexplained === null || unexplained.count === 0
        ? ''
        : `${formatNumber(unexplained.count)}, ${formatMoney(unexplained.amount_in_cents)}`,
  },
];

const itemColumns: TableColumn<OpenItem>[] = [
  { header: 'item', cell: ({ key }) => key },
  { header: 'date', cell: ({ dated_on }) => dated_on },
  { header: 'age (days)', cell: ({ age_days }) => formatNumber(age_days), align: 'right' },
  { header: 'description', cell: ({ text }) => text, minWidth: 24 },
  { header: 'amount', cell: ({ amount_in_cents }) => formatMoney(amount_in_cents), align: 'right' },
  { header: 'currency', cell: ({ currency }) => currency },
];
