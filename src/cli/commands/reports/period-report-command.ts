import { resolve } from 'node:path';
import type { ReportFormat } from '../../../contract/periods/reports.ts';
import type { OutstandingItem, Workpaper } from '../../../contract/periods/workpapers.ts';
import { type ExitCode, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { parseMonth } from '../../input/options.ts';
import { formatBytes, formatCount, formatMoney, formatNumber } from '../../output/format-values.ts';
import {
  createCountColumn,
  createMoneyColumn,
  formatTableLines,
  getTerminalWidth,
  type TableColumn,
} from '../../output/table.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';

interface ReportOptions {
  readonly period: string;
  readonly format: ReportFormat;
  readonly output?: string;
  readonly replace?: true;
}

type Line = Workpaper['sections'][number]['schedules'][number]['lines'][number];

export const defineReportCommand: DefineCommand = (command) => {
  command
    .requiredOption('--period <month>', 'period as YYYY-MM', parseMonth)
    .choiceOption('--format <format>', 'file format', ['pdf', 'xlsx', 'csv', 'json'], 'pdf')
    .option('-o, --output <file>', 'file to write (default: show the schedules)')
    .option('--replace', 'overwrite an existing file')
    .addHelpText(
      'after',
      '\nThe figures are the same in every format. Exits with 1 if a difference is not 0, an item is unexplained or the closed figures are damaged.',
    )
    .runOnSite(writeReport);
};

/** Writes the report of a period. Without an output file, shows the schedules. */
async function writeReport(
  { client, site, output }: SiteContext,
  { period, format, replace, output: path }: ReportOptions,
): Promise<ExitCode> {
  const workpaper = await client.workpapers.get({ site, period });
  const { explained, qualifications } = workpaper;
  const damage = qualifications.filter(({ kind }) => kind === 'damaged');
  if (path === undefined) {
    const filter = { explained: false };
    const { rows: items } = await client.workpapers.items({ site, period, filter, limit: MAX_SHOWN_ITEMS });
    await output.document(workpaper, () => [
      formatSchedules(workpaper),
      items.length > 0 && [
        '',
        'Unexplained items, oldest first',
        formatTableLines(itemColumns, items, getTerminalWidth() - 1),
        '',
      ],
      formatConclusion(workpaper),
    ]);
  } else {
    const target = { format, path: resolve(path), replace: replace === true };
    const file = await client.reports.write({ site, period, ...target });
    await output.document({ ...file, explained }, () => [
      `${file.path}: ${formatBytes(file.bytes)}${file.pages === null ? '' : `, ${formatCount(file.pages, 'page')}`}.`,
      damage.map(({ message }) => `! ${message}`),
      formatConclusion(workpaper),
    ]);
  }
  return getSuccessExitCode(explained && damage.length === 0);
}

function formatSchedules({ head, sections, qualifications }: Workpaper): TextLines {
  return [
    `${head.title}, ${head.period.period}, as of ${head.as_at} (${head.state === 'none' ? 'not opened' : head.state})`,
    sections.map(({ currency, schedules, outstanding }) => [
      schedules.map(({ id, title, lines }) => [
        '',
        `${id} ${title}, ${currency}`,
        formatTableLines(columns, lines, getTerminalWidth() - 1),
      ]),
      '',
      `Outstanding: ${formatCount(outstanding.count, 'item')}, ${formatMoney(outstanding.amount_in_cents)} ${currency}; ${formatNumber(outstanding.unexplained)} unexplained.`,
    ]),
    qualifications.map(({ message }) => `! ${message}`),
  ];
}

/** Maximum number of unexplained items shown. Report files contain all items. Chosen by judgment. */
const MAX_SHOWN_ITEMS = 20;

function formatConclusion({ explained, qualifications }: Workpaper): string {
  if (explained && qualifications.some(({ kind }) => kind === 'immaterial'))
    return 'Every difference and item is explained, or passed as immaterial.';
  if (explained) return 'Every schedule foots. There are no unexplained items.';
  const isEmpty = qualifications.some(({ kind }) => kind === 'empty');
  return isEmpty
    ? 'The period has no records, so nothing is proved.'
    : 'There are differences or unexplained items.';
}

const columns: TableColumn<Line>[] = [
  { header: 'figure', cell: ({ id }) => id },
  { header: 'line', cell: ({ label }) => label, minWidth: 24 },
  createMoneyColumn('amount', ({ amount_in_cents }) => amount_in_cents),
  createCountColumn('rows', ({ count }) => count),
  { header: 'tick marks', cell: ({ ticks }) => ticks.join(' ') },
  {
    header: 'unexplained',
    cell: ({ unexplained }) =>
      unexplained?.count
        ? `${formatNumber(unexplained.count)}, ${formatMoney(unexplained.amount_in_cents)}`
        : '',
  },
];

const itemColumns: TableColumn<OutstandingItem>[] = [
  { header: 'item', cell: ({ key }) => key },
  { header: 'date', cell: ({ dated_on }) => dated_on },
  createCountColumn('age (days)', ({ age_days }) => age_days),
  { header: 'description', cell: ({ text }) => text, minWidth: 24 },
  createMoneyColumn('amount', ({ amount_in_cents }) => amount_in_cents),
  { header: 'currency', cell: ({ currency }) => currency },
];
