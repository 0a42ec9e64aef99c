import PDFDocument from 'pdfkit';
import type { Schedule, TickMeaning } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { createReceiptQrCode } from '../../domain/qr-code/index.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { buildCoverRows } from './cover-rows.ts';
import { type FontName, findFontPath, ReportTextMeasurer } from './report-fonts.ts';
import {
  type PageCanvas,
  REPORT_CONTENT_WIDTH_PT,
  REPORT_PAGE_SIZE_PT,
  type ReportLayoutRow,
  ReportPageLayout,
} from './report-page-layout.ts';
import type { ReportSource } from './report-source.ts';
import type { UntypedReportTable } from './report-table.ts';
import { formatAgingBucket, getEmptyTableText, listReportTables } from './report-tables.ts';

/** Maximum number of rows printed per list. The CSV contains all rows. */
const MAX_ROWS_PER_LIST = 5000;
const FONT_NAMES: readonly FontName[] = ['plain', 'bold', 'other', 'korean'];

/**
 * Yields the report as a PDF in pieces. The first of two layout passes counts the pages, so that the second pass can
 * write each page as soon as it is laid out. @returns the number of pages, after the last piece
 */
export async function* renderReportPdf(source: ReportSource): AsyncGenerator<Uint8Array, number, undefined> {
  const { head, digest } = source.workpaper;
  const document = new PDFDocument({
    autoFirstPage: false,
    size: [REPORT_PAGE_SIZE_PT.width, REPORT_PAGE_SIZE_PT.height],
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
  const measure = new ReportTextMeasurer(openFonts(document));
  const pageHead = {
    left: `Reconciliation of ${head.title}`,
    right: `${head.period.period}, as of ${head.as_at}`,
    foot: `Tieout ${head.app_version} · figures ${digest}`,
  };
  const countingLayout = new ReportPageLayout(BLANK_CANVAS, measure, pageHead, null);
  for (const draw of createSections(source)) draw(countingLayout);

  const pieces: Buffer[] = [];
  document.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve) => document.once('end', resolve));
  const layout = new ReportPageLayout(createCanvas(document), measure, pageHead, countingLayout.pages);
  for (const draw of createSections(source)) {
    draw(layout);
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
  _font: { font: ConstructorParameters<typeof ReportTextMeasurer>[0][FontName] };
}

function openFonts(document: PdfDocument): ConstructorParameters<typeof ReportTextMeasurer>[0] {
  const open = (name: FontName) => {
    document.registerFont(name, findFontPath(name));
    document.font(name);
    return (document as unknown as OpenedFont)._font.font;
  };
  const [plain, bold, other, korean] = FONT_NAMES.map(open) as [never, never, never, never];
  return { plain, bold, other, korean };
}

const BLANK_CANVAS: PageCanvas = { addPage() {}, write() {}, rule() {}, fill() {}, addBookmark() {} };

function createCanvas(document: PdfDocument): PageCanvas {
  return {
    addPage: () => document.addPage(),
    write({ font, text }, { x, y }, { size, color }) {
      document.font(font).fontSize(size).fillColor(color);
      document.text(text, x, y, { lineBreak: false });
    },
    rule: (y, width, color) =>
      document
        .moveTo(REPORT_PAGE_SIZE_PT.left, y)
        .lineTo(REPORT_PAGE_SIZE_PT.left + REPORT_CONTENT_WIDTH_PT, y)
        .lineWidth(width)
        .strokeColor(color)
        .stroke(),
    fill: ({ x, y, width, height }, color) => document.rect(x, y, width, height).fill(color),
    addBookmark: (title) => document.outline.addItem(title),
  };
}

/** Returns the sections of the report in order, each as a function that draws the section. */
function createSections(source: ReportSource): ((layout: ReportPageLayout) => void)[] {
  const { workpaper } = source;
  return [
    (layout) => drawCover(layout, source),
    ...workpaper.sections.flatMap(({ currency, schedules }) =>
      schedules.map(
        (each) => (layout: ReportPageLayout) => drawSchedule(layout, each, currency, workpaper.legend),
      ),
    ),
    (layout) => drawAging(layout, source),
    ...listReportTables(source).map((table) => (layout: ReportPageLayout) => drawList(layout, table, source)),
    (layout) => drawLegend(layout, workpaper.legend),
  ];
}

function drawCover(layout: ReportPageLayout, { workpaper }: ReportSource): void {
  layout.begin(`Reconciliation of ${workpaper.head.title}`);
  for (const { label, text, heading, receipt } of buildCoverRows(workpaper)) {
    if (heading) layout.space(8);
    layout.pair(label, text);
    if (receipt !== undefined) layout.qrCode(createReceiptQrCode(receipt));
  }
}

const leftColumn = (header: string, relativeWidth: number) =>
  ({ header, relativeWidth, align: 'left' }) as const;
const rightColumn = (header: string, relativeWidth: number) =>
  ({ header, relativeWidth, align: 'right' }) as const;

function drawSchedule(
  layout: ReportPageLayout,
  schedule: Schedule,
  currency: string,
  legend: readonly TickMeaning[],
): void {
  layout.begin(`${schedule.id} ${schedule.title}, ${currency}`);
  layout.text(schedule.purpose, { size: 8.5, color: '#444444' });
  layout.space(6);
  const columns = [
    leftColumn('Line', 42),
    rightColumn(`Amount, ${currency}`, 18),
    rightColumn('Rows', 7),
    leftColumn('Ticks', 8),
    leftColumn('Source', 42),
  ];
  const rows = schedule.lines.map(
    ({ label, role, amount_in_cents, count, ticks, note, unexplained }): ReportLayoutRow => {
      const remark =
        unexplained === null || unexplained.count === 0
          ? ''
          : ` Not explained: ${unexplained.count}, ${formatMoney(unexplained.amount_in_cents)}.`;
      return {
        cells: [
          label,
          formatMoney(amount_in_cents),
          String(count ?? ''),
          ticks.join(' '),
          `${note}${remark}`,
        ],
        bold: role === 'total' || role === 'difference' || role === 'stated',
        ruled: role === 'total',
      };
    },
  );
  layout.table(columns, rows, rows.length);
  layout.space(6);
  const usedTicks = new Set(schedule.lines.flatMap(({ ticks }) => ticks));
  const meanings = legend
    .filter(({ mark }) => usedTicks.has(mark))
    .map(({ mark, meaning }) => `${mark}  ${meaning}`);
  layout.text(`Legend: ${meanings.join('  ·  ')}`, { size: 7.5, color: '#444444' });
}

function drawAging(layout: ReportPageLayout, { workpaper }: ReportSource): void {
  layout.begin('Outstanding by age');
  for (const { currency, aging, outstanding } of workpaper.sections) {
    const columns = [
      leftColumn(`Days, ${currency}`, 10),
      rightColumn('Items', 8),
      rightColumn('Amount', 16),
      rightColumn('Not explained', 10),
    ];
    const toCells = (days: string, { count, amount_in_cents, unexplained }: typeof outstanding) => [
      days,
      String(count),
      formatMoney(amount_in_cents),
      String(unexplained),
    ];
    const rows = aging.map(
      (bucket): ReportLayoutRow => ({ cells: toCells(formatAgingBucket(bucket), bucket) }),
    );
    const total = { cells: toCells('Total', outstanding), bold: true, ruled: true };
    layout.table(columns, [...rows, total], 100);
    layout.space(10);
  }
}

function drawList(layout: ReportPageLayout, table: UntypedReportTable, source: ReportSource): void {
  layout.begin(table.title);
  const printed = table.columns.flatMap((column, index) =>
    column.relativeWidth === 0 ? [] : [{ ...column, index }],
  );
  const columns = printed.map(({ header, relativeWidth, kind }) =>
    kind === 'text' ? leftColumn(header, relativeWidth) : rightColumn(header, relativeWidth),
  );
  function* rows(): Generator<ReportLayoutRow> {
    for (const cells of table.cells(source))
      yield {
        cells: printed.map(({ kind, index }) => {
          const cell = cells[index] ?? null;
          return cell !== null && kind === 'cents' ? formatMoney(Number(cell)) : String(cell ?? '');
        }),
      };
  }
  const count = layout.table(columns, rows(), MAX_ROWS_PER_LIST);
  if (count === 0) layout.text(getEmptyTableText(table, source));
  if (count > MAX_ROWS_PER_LIST)
    layout.text(`… and ${count - MAX_ROWS_PER_LIST} more, in the CSV of this report.`);
}

function drawLegend(layout: ReportPageLayout, meanings: readonly TickMeaning[]): void {
  layout.begin('Legend');
  for (const { mark, meaning } of meanings) layout.pair(mark, meaning);
}
