import PDFDocument from 'pdfkit';
import type { Schedule, TickMeaning } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { buildCoverRows } from './cover.ts';
import { type FontName, fontPath, TextMeasure } from './fonts.ts';
import { PAGE_SIZE, type PageCanvas, PageLayout, type TableLayoutRow } from './sheet.ts';
import type { ReportSource } from './source.ts';
import { emptyTableText, listTables, type ReportTableOfAnyRow } from './tables.ts';

/** Maximum number of rows printed per list. The CSV has all of them. */
const MOST_ROWS = 5000;
const NAMES: readonly FontName[] = ['plain', 'bold', 'other', 'korean'];

/**
 * Yields the report as a PDF in pieces. It is laid out twice, first to count the pages, so that no page is held until the
 * last one is known.
 * @returns the number of pages, after the last piece
 */
export async function* reportPdf(source: ReportSource): AsyncGenerator<Uint8Array, number, undefined> {
  const { head, digest } = source.workpaper;
  const document = new PDFDocument({
    autoFirstPage: false,
    size: [PAGE_SIZE.width, PAGE_SIZE.height],
    margin: 0,
    compress: true,
    pdfVersion: '1.7',
    lang: 'en',
    info: {
      Title: `Reconciliation ${head.title} ${head.period.period}`,
      Author: 'Tieout',
      CreationDate: new Date(head.made_at),
    },
  });
  const measure = new TextMeasure(fontsOf(document));
  const lines = {
    left: `Reconciliation of ${head.title}`,
    right: `${head.period.period}, as at ${head.as_at}`,
    foot: `Tieout ${head.app_version} · figures ${digest}`,
  };
  const count = new PageLayout(blank, measure, lines, null);
  for (const part of partsOf(source)) part(count);

  const pieces: Buffer[] = [];
  document.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve) => document.once('end', resolve));
  const sheet = new PageLayout(canvasOf(document), measure, lines, count.pages);
  for (const part of partsOf(source)) {
    part(sheet);
    await yieldToEventLoop();
    yield* pieces.splice(0);
  }
  document.end();
  await ended;
  yield* pieces;
  return sheet.pages;
}

type Document = PDFKit.PDFDocument;

/** Internal fields of a font opened by pdfkit that its types do not declare. */
interface Opened {
  _font: { font: ConstructorParameters<typeof TextMeasure>[0][FontName] };
}

function fontsOf(document: Document): ConstructorParameters<typeof TextMeasure>[0] {
  const open = (name: FontName) => {
    document.registerFont(name, fontPath(name));
    document.font(name);
    return (document as unknown as Opened)._font.font;
  };
  const [plain, bold, other, korean] = NAMES.map(open) as [never, never, never, never];
  return { plain, bold, other, korean };
}

const blank: PageCanvas = { addPage() {}, write() {}, line() {}, fill() {}, mark() {} };

function canvasOf(document: Document): PageCanvas {
  return {
    addPage: () => document.addPage(),
    write({ font, text }, x, y, size, color) {
      document.font(font).fontSize(size).fillColor(color);
      document.text(text, x, y, { lineBreak: false });
    },
    line: (x1, y1, x2, y2, width, color) =>
      document.moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).strokeColor(color).stroke(),
    fill: (x, y, width, height, color) => document.rect(x, y, width, height).fill(color),
    mark: (title) => document.outline.addItem(title),
  };
}

/** Returns the report's sections in order, as drawing functions. */
function partsOf(source: ReportSource): ((sheet: PageLayout) => void)[] {
  const { workpaper } = source;
  return [
    (sheet) => cover(sheet, source),
    ...workpaper.sections.flatMap(({ currency, schedules }) =>
      schedules.map((each) => (sheet: PageLayout) => schedule(sheet, each, currency, workpaper.legend)),
    ),
    (sheet) => aging(sheet, source),
    ...listTables.map((table) => (sheet: PageLayout) => list(sheet, table, source)),
    (sheet) => legend(sheet, workpaper.legend),
  ];
}

function cover(sheet: PageLayout, { workpaper }: ReportSource): void {
  sheet.begin(`Reconciliation of ${workpaper.head.title}`);
  for (const { label, text, heading } of buildCoverRows(workpaper)) {
    if (heading) sheet.space(8);
    sheet.pair(label, text);
  }
}

function schedule(
  sheet: PageLayout,
  each: Schedule,
  currency: string,
  meanings: readonly TickMeaning[],
): void {
  sheet.begin(`${each.id} ${each.title}, ${currency}`);
  sheet.text(each.purpose, { size: 8.5, color: '#444444' });
  sheet.space(6);
  const columns = [
    { header: 'Line', wide: 42, align: 'left' as const },
    { header: `Amount, ${currency}`, wide: 18, align: 'right' as const },
    { header: 'Rows', wide: 7, align: 'right' as const },
    { header: 'Ticks', wide: 8, align: 'left' as const },
    { header: 'Source', wide: 42, align: 'left' as const },
  ];
  const rows = each.lines.map(
    ({ label, role, amount_in_cents, count, ticks, note, unexplained }): TableLayoutRow => {
      const open =
        unexplained === null || unexplained.count === 0
          ? ''
          : ` Not explained: ${unexplained.count}, ${formatMoney(unexplained.amount_in_cents)}.`;
      const isSum = role === 'total' || role === 'difference' || role === 'stated';
      return {
        cells: [
          label,
          formatMoney(amount_in_cents),
          count === null ? '' : String(count),
          ticks.join(' '),
          `${note}${open}`,
        ],
        bold: isSum,
        ruled: role === 'total',
      };
    },
  );
  sheet.table(columns, rows, rows.length);
  sheet.space(6);
  const used = new Set(each.lines.flatMap(({ ticks }) => ticks));
  const told = meanings
    .filter(({ mark }) => used.has(mark))
    .map(({ mark, meaning }) => `${mark}  ${meaning}`);
  sheet.text(`Legend: ${told.join('  ·  ')}`, { size: 7.5, color: '#444444' });
}

function aging(sheet: PageLayout, { workpaper }: ReportSource): void {
  sheet.begin('Outstanding by age');
  for (const { currency, aging: buckets, outstanding } of workpaper.sections) {
    const columns = [
      { header: `Days, ${currency}`, wide: 10, align: 'left' as const },
      { header: 'Items', wide: 8, align: 'right' as const },
      { header: 'Amount', wide: 16, align: 'right' as const },
      { header: 'Not explained', wide: 10, align: 'right' as const },
    ];
    const row = (days: string, { count, amount_in_cents, unexplained }: typeof outstanding): string[] => [
      days,
      String(count),
      formatMoney(amount_in_cents),
      String(unexplained),
    ];
    const rows: TableLayoutRow[] = buckets.map((each) => ({
      cells: row(
        each.to_days === null ? `> ${each.from_days - 1}` : `${each.from_days}–${each.to_days}`,
        each,
      ),
    }));
    sheet.table(columns, [...rows, { cells: row('Total', outstanding), bold: true, ruled: true }], 100);
    sheet.space(10);
  }
}

function list(sheet: PageLayout, table: ReportTableOfAnyRow, source: ReportSource): void {
  sheet.begin(table.title);
  const shown = table.columns.flatMap((column, at) => (column.wide === 0 ? [] : [{ ...column, at }]));
  const columns = shown.map(({ header, wide, kind }) => ({
    header,
    wide,
    align: kind === 'text' ? ('left' as const) : ('right' as const),
  }));
  function* rows(): Generator<TableLayoutRow> {
    for (const cells of table.cells(source)) {
      yield {
        cells: shown.map(({ kind, at }) => {
          const cell = cells[at] ?? null;
          return cell === null ? '' : kind === 'cents' ? formatMoney(Number(cell)) : String(cell);
        }),
      };
    }
  }
  const count = sheet.table(columns, rows(), MOST_ROWS);
  if (count === 0) sheet.text(emptyTableText(table, source));
  if (count > MOST_ROWS) sheet.text(`… and ${count - MOST_ROWS} more, in the CSV of this report.`);
}

function legend(sheet: PageLayout, meanings: readonly TickMeaning[]): void {
  sheet.begin('Legend');
  for (const { mark, meaning } of meanings) sheet.pair(mark, meaning);
}
