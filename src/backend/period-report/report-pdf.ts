import PDFDocument from 'pdfkit';
import type { Schedule, TickMeaning } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { buildCoverRows } from './cover-rows.ts';
import { PAGE_SIZE, type PageCanvas, PageLayout, type TableLayoutRow } from './page-layout.ts';
import { type FontName, findFontPath, TextMeasure } from './report-fonts.ts';
import type { ReportSource } from './report-source.ts';
import { type AnyReportTable, getEmptyTableText, listTables } from './report-tables.ts';

/** Maximum number of rows printed per list. The CSV contains all rows. */
const MAX_ROWS_PER_LIST = 5000;
const FONT_NAMES: readonly FontName[] = ['plain', 'bold', 'other', 'korean'];

/**
 * Yields the report as a PDF in pieces. The first of two layout passes counts the pages, so that finished pages can be
 * written before the last one is laid out.
 * @returns the number of pages, after the last piece
 */
export async function* renderReportPdf(source: ReportSource): AsyncGenerator<Uint8Array, number, undefined> {
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
  const measure = new TextMeasure(openFonts(document));
  const lines = {
    left: `Reconciliation of ${head.title}`,
    right: `${head.period.period}, as at ${head.as_at}`,
    foot: `Tieout ${head.app_version} · figures ${digest}`,
  };
  const countingLayout = new PageLayout(BLANK_CANVAS, measure, lines, null);
  for (const part of createSections(source)) part(countingLayout);

  const pieces: Buffer[] = [];
  document.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve) => document.once('end', resolve));
  const layout = new PageLayout(createCanvas(document), measure, lines, countingLayout.pages);
  for (const part of createSections(source)) {
    part(layout);
    await yieldToEventLoop();
    yield* pieces.splice(0);
  }
  document.end();
  await ended;
  yield* pieces;
  return layout.pages;
}

type PdfDocument = PDFKit.PDFDocument;

/** Internal fields of a font opened by pdfkit that its types do not declare. */
interface OpenedFont {
  _font: { font: ConstructorParameters<typeof TextMeasure>[0][FontName] };
}

function openFonts(document: PdfDocument): ConstructorParameters<typeof TextMeasure>[0] {
  const open = (name: FontName) => {
    document.registerFont(name, findFontPath(name));
    document.font(name);
    return (document as unknown as OpenedFont)._font.font;
  };
  const [plain, bold, other, korean] = FONT_NAMES.map(open) as [never, never, never, never];
  return { plain, bold, other, korean };
}

const BLANK_CANVAS: PageCanvas = { addPage() {}, write() {}, line() {}, fill() {}, mark() {} };

function createCanvas(document: PdfDocument): PageCanvas {
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

/** Returns the sections of the report in order, each as a function that draws it. */
function createSections(source: ReportSource): ((layout: PageLayout) => void)[] {
  const { workpaper } = source;
  return [
    (layout) => drawCover(layout, source),
    ...workpaper.sections.flatMap(({ currency, schedules }) =>
      schedules.map((each) => (layout: PageLayout) => drawSchedule(layout, each, currency, workpaper.legend)),
    ),
    (layout) => drawAging(layout, source),
    ...listTables.map((table) => (layout: PageLayout) => drawList(layout, table, source)),
    (layout) => drawLegend(layout, workpaper.legend),
  ];
}

function drawCover(layout: PageLayout, { workpaper }: ReportSource): void {
  layout.begin(`Reconciliation of ${workpaper.head.title}`);
  for (const { label, text, heading } of buildCoverRows(workpaper)) {
    if (heading) layout.space(8);
    layout.pair(label, text);
  }
}

function drawSchedule(
  layout: PageLayout,
  each: Schedule,
  currency: string,
  meanings: readonly TickMeaning[],
): void {
  layout.begin(`${each.id} ${each.title}, ${currency}`);
  layout.text(each.purpose, { size: 8.5, color: '#444444' });
  layout.space(6);
  const columns = [
    { header: 'Line', wide: 42, align: 'left' as const },
    { header: `Amount, ${currency}`, wide: 18, align: 'right' as const },
    { header: 'Rows', wide: 7, align: 'right' as const },
    { header: 'Ticks', wide: 8, align: 'left' as const },
    { header: 'Source', wide: 42, align: 'left' as const },
  ];
  const rows = each.lines.map(
    ({ label, role, amount_in_cents, count: countingLayout, ticks, note, unexplained }): TableLayoutRow => {
      const open =
        unexplained === null || unexplained.count === 0
          ? ''
          : ` Not explained: ${unexplained.count}, ${formatMoney(unexplained.amount_in_cents)}.`;
      const isSum = role === 'total' || role === 'difference' || role === 'stated';
      return {
        cells: [
          label,
          formatMoney(amount_in_cents),
          countingLayout === null ? '' : String(countingLayout),
          ticks.join(' '),
          `${note}${open}`,
        ],
        bold: isSum,
        ruled: role === 'total',
      };
    },
  );
  layout.table(columns, rows, rows.length);
  layout.space(6);
  const used = new Set(each.lines.flatMap(({ ticks }) => ticks));
  const usedMeanings = meanings
    .filter(({ mark }) => used.has(mark))
    .map(({ mark, meaning }) => `${mark}  ${meaning}`);
  layout.text(`Legend: ${usedMeanings.join('  ·  ')}`, { size: 7.5, color: '#444444' });
}

function drawAging(layout: PageLayout, { workpaper }: ReportSource): void {
  layout.begin('Outstanding by age');
  for (const { currency, aging: buckets, outstanding } of workpaper.sections) {
    const columns = [
      { header: `Days, ${currency}`, wide: 10, align: 'left' as const },
      { header: 'Items', wide: 8, align: 'right' as const },
      { header: 'Amount', wide: 16, align: 'right' as const },
      { header: 'Not explained', wide: 10, align: 'right' as const },
    ];
    const row = (
      days: string,
      { count: countingLayout, amount_in_cents, unexplained }: typeof outstanding,
    ): string[] => [days, String(countingLayout), formatMoney(amount_in_cents), String(unexplained)];
    const rows: TableLayoutRow[] = buckets.map((each) => ({
      cells: row(
        each.to_days === null ? `> ${each.from_days - 1}` : `${each.from_days}–${each.to_days}`,
        each,
      ),
    }));
    layout.table(columns, [...rows, { cells: row('Total', outstanding), bold: true, ruled: true }], 100);
    layout.space(10);
  }
}

function drawList(layout: PageLayout, table: AnyReportTable, source: ReportSource): void {
  layout.begin(table.title);
  const shown = table.columns.flatMap((column, at) =>
    column.relativeWidth === 0 ? [] : [{ ...column, at }],
  );
  const columns = shown.map(({ header, relativeWidth, kind }) => ({
    header,
    wide: relativeWidth,
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
  const countingLayout = layout.table(columns, rows(), MAX_ROWS_PER_LIST);
  if (countingLayout === 0) layout.text(getEmptyTableText(table, source));
  if (countingLayout > MAX_ROWS_PER_LIST)
    layout.text(`… and ${countingLayout - MAX_ROWS_PER_LIST} more, in the CSV of this report.`);
}

function drawLegend(layout: PageLayout, meanings: readonly TickMeaning[]): void {
  layout.begin('Legend');
  for (const { mark, meaning } of meanings) layout.pair(mark, meaning);
}
