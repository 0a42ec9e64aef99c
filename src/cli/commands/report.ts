import { resolve } from 'node:path';
import type { ReportFormat } from '../../contract/reports.ts';
import type { OpenItem, Workpaper } from '../../contract/workpapers.ts';
import { exit } from '../exit.ts';
import { choice, month } from '../input/options.ts';
import { count, counted, money, size } from '../output/figures.ts';
import { type Column, tableLines } from '../output/table.ts';
import type { Define } from '../verbs.ts';

interface ReportOptions {
  readonly period: string;
  readonly format: ReportFormat;
  readonly output?: string;
  readonly replace?: true;
}

type Line = Workpaper['sections'][number]['schedules'][number]['lines'][number];

export const define: Define = (command, act) => {
  command
    .requiredOption('--period <month>', 'the month, as 2026-10', month)
    .addOption(choice('--format <format>', 'of the file', ['pdf', 'xlsx', 'csv', 'json']).default('pdf'))
    .option('-o, --output <file>', 'write it there; without: show the schedules')
    .option('--replace', 'replace a file that stands there')
    .addHelpText(
      'after',
      '\nThe figures are the same in every format. Ends with 1 where a difference is not 0, an item is not explained, or what was signed is damaged.',
    )
    .action(
      act(async (cli, { period, format, output, replace }: ReportOptions) => {
        const { client, site } = await cli.session.local();
        const workpaper = await client.workpapers.get({ site, period });
        const damage = workpaper.qualifications.filter(({ what }) => what === 'damaged');
        const ended = workpaper.explained && damage.length === 0 ? exit.done : exit.found;
        if (output === undefined) {
          const filter = { explained: false };
          const waiting = await client.workpapers.items({ site, period, filter, limit: SHOWN });
          await cli.out.document(workpaper, () => [
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
        await cli.out.document({ ...file, explained: workpaper.explained }, () => [
          `${file.path}: ${size(file.bytes)}${file.pages === null ? '' : `, ${counted(file.pages, 'page')}`}.`,
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
        ...tableLines(columns, lines, (process.stdout.columns || Number.POSITIVE_INFINITY) - 1),
      ]),
      '',
      `Outstanding: ${counted(outstanding.count, 'item')}, ${money(outstanding.amount_in_cents)} ${currency}; ${count(outstanding.unexplained)} not explained.`,
    ]),
    ...qualifications.map(({ message }) => `! ${message}`),
  ];
}

/** So many items that wait for an explanation are shown; all of them are in the files. */
const SHOWN = 20;

function itemsShown(items: readonly OpenItem[]): string[] {
  if (items.length === 0) return [];
  const width = (process.stdout.columns || Number.POSITIVE_INFINITY) - 1;
  return ['', 'Not explained, the oldest first', ...tableLines(itemColumns, items, width), ''];
}

const result = ({ explained }: Workpaper): string =>
  explained ? 'Every schedule foots, and every item in it is explained.' : 'Not explained in full.';

const columns: Column<Line>[] = [
  { header: 'figure', cell: ({ id }) => id },
  { header: 'line', cell: ({ label }) => label, least: 24 },
  { header: 'amount', cell: ({ amount_in_cents }) => money(amount_in_cents), align: 'right' },
  { header: 'rows', cell: (line) => (line.count === null ? '' : count(line.count)), align: 'right' },
  { header: 'ticks', cell: ({ ticks }) => ticks.join(' ') },
  {
    header: 'not explained',
    cell: ({ unexplained }) =>
      unexplained === null || unexplained.count === 0
        ? ''
        : `${count(unexplained.count)}, ${money(unexplained.amount_in_cents)}`,
  },
];

const itemColumns: Column<OpenItem>[] = [
  { header: 'item', cell: ({ key }) => key },
  { header: 'dated', cell: ({ dated_on }) => dated_on },
  { header: 'age', cell: ({ age_days }) => count(age_days), align: 'right' },
  { header: 'what', cell: ({ text }) => text, least: 24 },
  { header: 'amount', cell: ({ amount_in_cents }) => money(amount_in_cents), align: 'right' },
  { header: '', cell: ({ currency }) => currency },
];
