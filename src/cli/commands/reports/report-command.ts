import { resolve } from 'node:path';
import type { ReportFormat } from '../../../contract/periods/reports.ts';
import type { OpenItem, Workpaper } from '../../../contract/periods/workpapers.ts';
import { exitCode } from '../../errors/exit-codes.ts';
import { choiceOption, parseMonth } from '../../input/options.ts';
import { formatBytes, formatCount, formatMoney, formatNumber } from '../../output/format-values.ts';
import { type Column, formatTableLines } from '../../output/table.ts';
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
    .requiredOption('--period <month>', 'the month, as 2026-10', parseMonth)
    .addOption(
      choiceOption('--format <format>', 'of the file', ['pdf', 'xlsx', 'csv', 'json']).default('pdf'),
    )
    .option('-o, --output <file>', 'write it there; without: show the schedules')
    .option('--replace', 'replace a file that stands there')
    .addHelpText(
      'after',
      '\nThe figures are the same in every format. Ends with 1 where a difference is not 0, an item is not explained, or what was signed is damaged.',
    )
    .action(
      handle(async (cli, { period, format, output, replace }: ReportOptions) => {
        const { client, site } = await cli.session.openSite();
        const workpaper = await client.workpapers.get({ site, period });
        const damage = workpaper.qualifications.filter(({ what }) => what === 'damaged');
        const ended = workpaper.explained && damage.length === 0 ? exitCode.success : exitCode.findings;
        if (output === undefined) {
          const filter = { explained: false };
          const waiting = await client.workpapers.items({ site, period, filter, limit: SHOWN });
          await cli.output.document(workpaper, () => [
            ...schedulesShown(workpaper),
            ...itemsShown(waiting.rows),
            result(workpaper),
          ]);
          return ended;
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
          result(workpaper),
        ]);
        return ended;
      }),
    );
};

function schedulesShown(workpaper: Workpaper): string[] {
  const { head, sections, qualifications } = workpaper;
  return [
    `${head.title}, ${head.period.period}, as at ${head.as_at} (${head.state === 'none' ? 'not opened' : head.state})`,
    ...sections.flatMap(({ currency, schedules, outstanding }) => [
      ...schedules.flatMap(({ id, title, lines }) => [
        '',
        `${id} ${title}, ${currency}`,
        ...formatTableLines(columns, lines, (process.stdout.columns || Number.POSITIVE_INFINITY) - 1),
      ]),
      '',
      `Outstanding: ${formatCount(outstanding.count, 'item')}, ${formatMoney(outstanding.amount_in_cents)} ${currency}; ${formatNumber(outstanding.unexplained)} not explained.`,
    ]),
    ...qualifications.map(({ message }) => `! ${message}`),
  ];
}

/** So many items that wait for an explanation are shown; all of them are in the files. */
const SHOWN = 20;

function itemsShown(items: readonly OpenItem[]): string[] {
  if (items.length === 0) return [];
  const width = (process.stdout.columns || Number.POSITIVE_INFINITY) - 1;
  return ['', 'Not explained, the oldest first', ...formatTableLines(itemColumns, items, width), ''];
}

const result = ({ explained }: Workpaper): string =>
  explained ? 'Every schedule foots, and every item in it is explained.' : 'Not explained in full.';

const columns: Column<Line>[] = [
  { header: 'figure', cell: ({ id }) => id },
  { header: 'line', cell: ({ label }) => label, minWidth: 24 },
  { header: 'amount', cell: ({ amount_in_cents }) => formatMoney(amount_in_cents), align: 'right' },
  { header: 'rows', cell: (line) => (line.count === null ? '' : formatNumber(line.count)), align: 'right' },
  { header: 'ticks', cell: ({ ticks }) => ticks.join(' ') },
  {
    header: 'not explained',
    cell: ({ unexplained }) =>
      unexplained === null || unexplained.count === 0
        ? ''
        : `${formatNumber(unexplained.count)}, ${formatMoney(unexplained.amount_in_cents)}`,
  },
];

const itemColumns: Column<OpenItem>[] = [
  { header: 'item', cell: ({ key }) => key },
  { header: 'dated', cell: ({ dated_on }) => dated_on },
  { header: 'age', cell: ({ age_days }) => formatNumber(age_days), align: 'right' },
  { header: 'what', cell: ({ text }) => text, minWidth: 24 },
  { header: 'amount', cell: ({ amount_in_cents }) => formatMoney(amount_in_cents), align: 'right' },
  { header: '', cell: ({ currency }) => currency },
];
