import { type Cell, type CellStyle, type CellValue, type WriteSheet, writeXlsx } from 'hucre';
import type { Schedule, TickMeaning, Workpaper } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { buildCoverRows } from './cover-rows.ts';
import type { ReportSource } from './report-source.ts';
import type { UntypedReportTable } from './report-table.ts';
import { formatAgingBucket, getEmptyTableText, listReportTables } from './report-tables.ts';

/** Maximum number of rows per list in the workbook, which is assembled in memory. The CSV contains all rows. */
const MAX_ROWS_PER_LIST = 10_000;

const AMOUNT_FORMAT = '#,##0.00;[Red]-#,##0.00';
const BOLD_STYLE: CellStyle = { font: { bold: true } };
const WRAPPED_STYLE: CellStyle = { alignment: { wrapText: true, vertical: 'top' } };
const TOTAL_STYLE: CellStyle = {
  numFmt: AMOUNT_FORMAT,
  font: { bold: true },
  border: { top: { style: 'thin' }, bottom: { style: 'double' } },
};

/** Returns the report as an XLSX workbook. Totals, differences and values from other schedules are formulas. */
export async function renderReportXlsx(source: ReportSource): Promise<Uint8Array> {
  const { workpaper } = source;
  const sheets = [
    createCoverSheet(workpaper),
    ...createScheduleSheets(workpaper),
    createAgingSheet(workpaper),
    ...listReportTables(source).map((table) => createListSheet(table, source)),
    createLegendSheet(workpaper.legend),
  ];
  return await writeXlsx({
    sheets: sheets.map((sheet) => ({ ...createPrintSettings(workpaper), ...sheet })),
    properties: {
      title: `Reconciliation ${workpaper.head.title} ${workpaper.head.period.period}`,
      creator: 'Tieout',
    },
  });
}

function createPrintSettings({ head }: Workpaper): Pick<WriteSheet, 'pageSetup' | 'headerFooter'> {
  return {
    pageSetup: { orientation: 'landscape', paperSize: 'a4', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
    headerFooter: {
      oddHeader: `&L${escapeHeaderText(head.title)}&C&A&R${head.period.period}`,
      oddFooter: '&LTieout&RPage &P of &N',
    },
  };
}

/** Escapes `&`, which starts a formatting code in headers. */
const escapeHeaderText = (text: string): string => text.replaceAll('&', '&&');

/** Rows of a worksheet, with the formats of their cells. */
class WorksheetRows {
  readonly rows: CellValue[][] = [];
  readonly cells = new Map<string, Partial<Cell>>();

  /** Adds a row to the worksheet. Returns its row number for formulas (1-based). */
  add(values: CellValue[], styles: Readonly<Record<number, CellStyle>> = {}): number {
    const row = this.rows.length;
    this.rows.push(values);
    for (const [column, style] of Object.entries(styles)) this.cell(row, Number(column), { style });
    return row + 1;
  }

  /** Adds a bold row. `styles` replaces the bold style of single columns. */
  addHeader(values: CellValue[], styles: Readonly<Record<number, CellStyle>> = {}): number {
    return this.add(values, {
      ...Object.fromEntries(values.map((_, column) => [column, BOLD_STYLE])),
      ...styles,
    });
  }

  toSheet(name: string, widths: readonly number[]): WriteSheet {
    return { name, rows: this.rows, cells: this.cells, columns: widths.map((width) => ({ width })) };
  }

  /** Changes a cell. Row and column are 0-based. */
  cell(row: number, column: number, cell: Partial<Cell>): void {
    const key = `${row},${column}`;
    this.cells.set(key, { ...this.cells.get(key), ...cell });
  }
}

function createCoverSheet(workpaper: Workpaper): WriteSheet {
  const sheet = new WorksheetRows();
  sheet.add([`Reconciliation of ${workpaper.head.title}`], { 0: { font: { bold: true, size: 16 } } });
  for (const { label, text, heading } of buildCoverRows(workpaper)) {
    if (heading) sheet.add([]);
    sheet.add([label, text], {
      0: heading ? { font: { bold: true, size: 12 } } : BOLD_STYLE,
      1: WRAPPED_STYLE,
    });
  }
  return sheet.toSheet('Cover', [26, 110]);
}

const AMOUNT_COLUMN = 2;
const toAmountCell = (row: number): string => `C${row}`;

/** Schedule lines whose amount comes from another schedule, with the source figure and the sign of the amount. */
const REFERENCED_FIGURES: Readonly<Record<string, { from: string; sign: '' | '-' }>> = {
  'S2.payments': { from: 'S1.matched', sign: '' },
  'S3.sent': { from: 'S2.sent', sign: '' },
  'S3.direct': { from: 'S2.direct', sign: '-' },
};

function createScheduleSheets({ sections, legend }: Workpaper): WriteSheet[] {
  return sections.flatMap(({ currency, schedules }) => {
    /** Sheet and row of each figure in this currency. */
    const places: FigurePlaces = new Map();
    const sheets = schedules.map((schedule) => ({
      ...addScheduleRows(schedule, currency, places),
      schedule,
    }));
    // A figure may refer to a later sheet, so formulas are added after all rows are known.
    return sheets.map(({ name, sheet, schedule }) => {
      addFormulas(sheet, schedule, name, places);
      addLegend(sheet, schedule, legend);
      return sheet.toSheet(name, [14, 62, 18, 9, 12, 70, 12]);
    });
  });
}

type FigurePlaces = Map<string, { readonly sheet: string; readonly row: number }>;

function addScheduleRows(schedule: Schedule, currency: string, places: FigurePlaces) {
  const name = `${schedule.id} ${currency}`;
  const sheet = new WorksheetRows();
  sheet.add([`${schedule.id} ${schedule.title}, ${currency}`], { 0: { font: { bold: true, size: 14 } } });
  sheet.add([schedule.purpose], { 0: { font: { italic: true } } });
  sheet.add([]);
  sheet.addHeader(['Figure', 'Line', 'Amount', 'Rows', 'Ticks', 'Source', 'Unexplained']);
  for (const line of schedule.lines) {
    const { id, label, role, amount_in_cents, count, ticks, note, unexplained } = line;
    const value = amount_in_cents / 100;
    const isSum = line.sum !== null;
    const row = sheet.add([id, label, value, count, ticks.join(' '), note, unexplained?.count ?? null], {
      1: isSum ? { ...BOLD_STYLE, ...WRAPPED_STYLE } : WRAPPED_STYLE,
      [AMOUNT_COLUMN]: isSum ? TOTAL_STYLE : { numFmt: AMOUNT_FORMAT },
      5: WRAPPED_STYLE,
    });
    places.set(id, { sheet: name, row });
    if (role === 'difference') sheet.add([]);
  }
  return { name, sheet };
}

function addFormulas(sheet: WorksheetRows, { lines }: Schedule, name: string, places: FigurePlaces): void {
  for (const line of lines) {
    const formula = toFormula(line, name, places);
    const row = places.get(line.id)?.row;
    if (formula === null || row === undefined) continue;
    sheet.cell(row - 1, AMOUNT_COLUMN, { formula, formulaResult: line.amount_in_cents / 100 });
  }
}

/** Returns the formula of a schedule line. Totals are rounded to the cent, so that a zero difference is exactly zero. */
function toFormula(
  { id, sum }: Schedule['lines'][number],
  sheet: string,
  places: FigurePlaces,
): string | null {
  const toCells = (ids: readonly string[]) =>
    ids.flatMap((each) => {
      const place = places.get(each);
      if (place === undefined) return [];
      const cell = toAmountCell(place.row);
      return place.sheet === sheet ? cell : `'${place.sheet}'!${cell}`;
    });
  if (sum !== null) {
    const [plus, minus] = [toCells(sum.plus), toCells(sum.minus)];
    if (plus.length + minus.length === 0) return null;
    const [added, subtracted] = [plus, minus].map((cells) =>
      cells.length === 0 ? '0' : `SUM(${cells.join(',')})`,
    );
    return `ROUND(${added}${minus.length === 0 ? '' : `-${subtracted}`},2)`;
  }
  const source = REFERENCED_FIGURES[id];
  const [cell] = source === undefined ? [] : toCells([source.from]);
  return source === undefined || cell === undefined ? null : `${source.sign}${cell}`;
}

/** Adds the meanings of the tick marks that this worksheet uses. */
function addLegend(sheet: WorksheetRows, { lines }: Schedule, legend: readonly TickMeaning[]): void {
  const used = new Set(lines.flatMap(({ ticks }) => ticks));
  sheet.add([]);
  sheet.add(['Legend'], { 0: BOLD_STYLE });
  for (const { mark, meaning } of legend) if (used.has(mark)) sheet.add([mark, meaning]);
}

function createAgingSheet({ sections }: Workpaper): WriteSheet {
  const sheet = new WorksheetRows();
  for (const { currency, aging } of sections) {
    sheet.add([`Outstanding by age, ${currency}`], { 0: { font: { bold: true, size: 14 } } });
    sheet.addHeader(['Days', 'Items', 'Amount', 'Unexplained']);
    const first = sheet.rows.length + 1;
    for (const bucket of aging) {
      const cells = [
        formatAgingBucket(bucket),
        bucket.count,
        bucket.amount_in_cents / 100,
        bucket.unexplained,
      ];
      sheet.add(cells, { 2: { numFmt: AMOUNT_FORMAT } });
    }
    const last = sheet.rows.length;
    const row = sheet.addHeader(['Total', null, null, null], { 2: TOTAL_STYLE });
    const sums = [
      aging.reduce((all, { count }) => all + count, 0),
      aging.reduce((all, { amount_in_cents }) => all + amount_in_cents, 0) / 100,
      aging.reduce((all, { unexplained }) => all + unexplained, 0),
    ];
    for (const [index, formulaResult] of sums.entries()) {
      const letter = 'BCD'[index];
      const formula = `ROUND(SUM(${letter}${first}:${letter}${last}),2)`;
      sheet.cell(row - 1, index + 1, { formula, formulaResult });
    }
    sheet.add([]);
  }
  return sheet.toSheet('Aging', [14, 10, 18, 14]);
}

function createListSheet(table: UntypedReportTable, source: ReportSource): WriteSheet {
  const sheet = new WorksheetRows();
  sheet.addHeader(table.columns.map(({ header }) => header));
  let omitted = 0;
  for (const cells of table.cells(source)) {
    if (sheet.rows.length > MAX_ROWS_PER_LIST) omitted++;
    else
      sheet.add(
        cells.map((cell, index) =>
          table.columns[index]?.kind === 'cents' && cell !== null ? Number(cell) / 100 : cell,
        ),
      );
  }
  if (sheet.rows.length === 1) sheet.add([getEmptyTableText(table, source)]);
  if (omitted > 0) sheet.add([`… and ${omitted} more, in the CSV of this report.`]);
  return {
    name: capitalize(table.name),
    rows: sheet.rows,
    cells: sheet.cells,
    columns: table.columns.map(({ kind, relativeWidth }) => ({
      width: Math.max(10, Math.min(relativeWidth * 1.3, 50)),
      ...(kind === 'cents' ? { numFmt: AMOUNT_FORMAT } : {}),
    })),
    freezePane: { rows: 1 },
  };
}

function createLegendSheet(legend: readonly TickMeaning[]): WriteSheet {
  const sheet = new WorksheetRows();
  sheet.addHeader(['Mark', 'Meaning']);
  for (const { mark, meaning } of legend) sheet.add([mark, meaning]);
  return sheet.toSheet('Legend', [10, 80]);
}
