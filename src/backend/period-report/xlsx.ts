import { type Cell, type CellStyle, type CellValue, type WriteSheet, writeXlsx } from 'hucre';
import type { Schedule, TickMeaning, Workpaper } from '../../contract/index.ts';
import { buildCoverRows } from './cover.ts';
import type { ReportSource } from './source.ts';
import { emptyTableText, listTables, type ReportTableOfAnyRow } from './tables.ts';

/** Maximum number of rows per list in the workbook, which is made in memory. The CSV has all of them. */
const MOST_ROWS = 10_000;

const AMOUNT = '#,##0.00;[Red]-#,##0.00';
const bold: CellStyle = { font: { bold: true } };
const wrapped: CellStyle = { alignment: { wrapText: true, vertical: 'top' } };
const total: CellStyle = {
  numFmt: AMOUNT,
  font: { bold: true },
  border: { top: { style: 'thin' }, bottom: { style: 'double' } },
};

/**
 * Returns the report as a workbook. Totals, differences and values taken from other schedules are formulas over their
 * lines.
 */
export async function reportXlsx(source: ReportSource): Promise<Uint8Array> {
  const { workpaper } = source;
  const sheets = [
    coverSheet(workpaper),
    ...scheduleSheets(workpaper),
    agingSheet(workpaper),
    ...listTables.map((table) => listSheet(table, source)),
    legendSheet(workpaper.legend),
  ];
  return await writeXlsx({
    sheets: sheets.map((sheet) => ({ ...printed(workpaper), ...sheet })),
    properties: {
      title: `Reconciliation ${workpaper.head.title} ${workpaper.head.period.period}`,
      creator: 'Tieout',
    },
  });
}

function printed({ head }: Workpaper): Pick<WriteSheet, 'pageSetup' | 'headerFooter'> {
  return {
    pageSetup: { orientation: 'landscape', paperSize: 'a4', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
    headerFooter: {
      oddHeader: `&L${plain(head.title)}&C&A&R${head.period.period}`,
      oddFooter: '&LTieout&RPage &P of &N',
    },
  };
}

/** Escapes `&`, which starts a code in headers. */
const plain = (text: string): string => text.replaceAll('&', '&&');

/** Rows of a worksheet with their formats. */
class Rows {
  readonly rows: CellValue[][] = [];
  readonly cells = new Map<string, Partial<Cell>>();

  /** Adds a row. Returns its number as used in formulas, from 1. */
  add(values: CellValue[], styles: Readonly<Record<number, CellStyle>> = {}): number {
    const row = this.rows.length;
    this.rows.push(values);
    for (const [column, style] of Object.entries(styles)) this.cell(row, Number(column), { style });
    return row + 1;
  }

  cell(row: number, column: number, cell: Partial<Cell>): void {
    const key = `${row},${column}`;
    this.cells.set(key, { ...this.cells.get(key), ...cell });
  }
}

function coverSheet(workpaper: Workpaper): WriteSheet {
  const sheet = new Rows();
  sheet.add([`Reconciliation of ${workpaper.head.title}`], { 0: { font: { bold: true, size: 16 } } });
  for (const { label, text, heading } of buildCoverRows(workpaper)) {
    if (heading) sheet.add([]);
    sheet.add([label, text], { 0: heading ? { font: { bold: true, size: 12 } } : bold, 1: wrapped });
  }
  return { name: 'Cover', rows: sheet.rows, cells: sheet.cells, columns: [{ width: 26 }, { width: 110 }] };
}

const AMOUNT_COLUMN = 2;
const amountAt = (row: number): string => `C${row}`;

/** Lines of a schedule taken from another schedule: the figure and its sign there. */
const taken: Readonly<Record<string, { from: string; sign: '' | '-' }>> = {
  'S2.payments': { from: 'S1.matched', sign: '' },
  'S3.sent': { from: 'S2.sent', sign: '' },
  'S3.direct': { from: 'S2.direct', sign: '-' },
};

function scheduleSheets({ sections, legend }: Workpaper): WriteSheet[] {
  return sections.flatMap(({ currency, schedules }) => {
    /** Cell of each figure of this currency, for example `'S1 USD'!C7`. */
    const places = new Map<string, string>();
    return schedules.map((schedule) => scheduleSheet(schedule, currency, legend, places));
  });
}

function scheduleSheet(
  schedule: Schedule,
  currency: string,
  legend: readonly TickMeaning[],
  places: Map<string, string>,
): WriteSheet {
  const name = `${schedule.id} ${currency}`;
  const sheet = new Rows();
  sheet.add([`${schedule.id} ${schedule.title}, ${currency}`], { 0: { font: { bold: true, size: 14 } } });
  sheet.add([schedule.purpose], { 0: { font: { italic: true } } });
  sheet.add([]);
  const heads = ['Figure', 'Line', 'Amount', 'Rows', 'Ticks', 'Source', 'Unexplained'];
  sheet.add(heads, Object.fromEntries(heads.map((_, at) => [at, bold])));
  const rowOf = new Map<string, number>();
  for (const line of schedule.lines) {
    const { id, label, role, amount_in_cents, count, ticks, note, unexplained } = line;
    const value = amount_in_cents / 100;
    const isSum = line.sum !== null;
    const row = sheet.add([id, label, value, count, ticks.join(' '), note, unexplained?.count ?? null], {
      1: isSum ? { ...bold, ...wrapped } : wrapped,
      [AMOUNT_COLUMN]: isSum ? total : { numFmt: AMOUNT },
      5: wrapped,
    });
    rowOf.set(id, row);
    places.set(id, `'${name}'!${amountAt(row)}`);
    const formula = formulaOf(line, rowOf, places);
    if (formula !== null) sheet.cell(row - 1, AMOUNT_COLUMN, { formula, formulaResult: value });
    if (role === 'difference') sheet.add([]);
  }
  addLegend(sheet, schedule, legend);
  const columns = [14, 62, 18, 9, 12, 70, 12].map((width) => ({ width }));
  return { name, rows: sheet.rows, cells: sheet.cells, columns };
}

/** Returns the formula of a line. Sums are rounded to the cent, so that an empty difference is exactly zero. */
function formulaOf(
  { id, sum }: Schedule['lines'][number],
  rows: ReadonlyMap<string, number>,
  places: ReadonlyMap<string, string>,
): string | null {
  if (sum !== null) {
    const cells = (ids: readonly string[]) => ids.flatMap((each) => rows.get(each) ?? []).map(amountAt);
    const minus = cells(sum.minus);
    return `ROUND(SUM(${cells(sum.plus).join(',')})${minus.length === 0 ? '' : `-SUM(${minus.join(',')})`},2)`;
  }
  const source = taken[id];
  const place = source === undefined ? undefined : places.get(source.from);
  return source === undefined || place === undefined ? null : `${source.sign}${place}`;
}

/** Adds the meaning of the tick marks used on this sheet. */
function addLegend(sheet: Rows, { lines }: Schedule, legend: readonly TickMeaning[]): void {
  const used = new Set(lines.flatMap(({ ticks }) => ticks));
  sheet.add([]);
  sheet.add(['Legend'], { 0: bold });
  for (const { mark, meaning } of legend) if (used.has(mark)) sheet.add([mark, meaning]);
}

function agingSheet({ sections }: Workpaper): WriteSheet {
  const sheet = new Rows();
  for (const { currency, aging } of sections) {
    sheet.add([`Outstanding by age, ${currency}`], { 0: { font: { bold: true, size: 14 } } });
    sheet.add(['Days', 'Items', 'Amount', 'Unexplained'], { 0: bold, 1: bold, 2: bold, 3: bold });
    const first = sheet.rows.length + 1;
    for (const { from_days, to_days, count, amount_in_cents, unexplained } of aging) {
      const days = to_days === null ? `> ${from_days - 1}` : `${from_days}–${to_days}`;
      sheet.add([days, count, amount_in_cents / 100, unexplained], { 2: { numFmt: AMOUNT } });
    }
    const last = sheet.rows.length;
    const row = sheet.add(['Total', null, null, null], { 0: bold, 1: bold, 2: total, 3: bold });
    const sums = [
      aging.reduce((all, { count }) => all + count, 0),
      aging.reduce((all, { amount_in_cents }) => all + amount_in_cents, 0) / 100,
      aging.reduce((all, { unexplained }) => all + unexplained, 0),
    ];
    for (const [at, formulaResult] of sums.entries()) {
      const letter = 'BCD'[at];
      const formula = `ROUND(SUM(${letter}${first}:${letter}${last}),2)`;
      sheet.cell(row - 1, at + 1, { formula, formulaResult });
    }
    sheet.add([]);
  }
  return {
    name: 'Aging',
    rows: sheet.rows,
    cells: sheet.cells,
    columns: [14, 10, 18, 14].map((width) => ({ width })),
  };
}

function listSheet(table: ReportTableOfAnyRow, source: ReportSource): WriteSheet {
  const sheet = new Rows();
  sheet.add(
    table.columns.map(({ header }) => header),
    Object.fromEntries(table.columns.map((_, at) => [at, bold])),
  );
  let left = 0;
  for (const cells of table.cells(source)) {
    if (sheet.rows.length > MOST_ROWS) left++;
    else
      sheet.add(cells.map((cell, at) => (isMoney(table, at) && cell !== null ? Number(cell) / 100 : cell)));
  }
  if (sheet.rows.length === 1) sheet.add([emptyTableText(table, source)]);
  if (left > 0) sheet.add([`… and ${left} more, in the CSV of this report.`]);
  return {
    name: `${table.name[0]?.toUpperCase()}${table.name.slice(1)}`,
    rows: sheet.rows,
    cells: sheet.cells,
    columns: table.columns.map(({ kind, wide }) => ({
      width: Math.max(10, Math.min(wide * 1.3, 50)),
      ...(kind === 'cents' ? { numFmt: AMOUNT } : {}),
    })),
    freezePane: { rows: 1 },
  };
}

const isMoney = (table: ReportTableOfAnyRow, at: number): boolean => table.columns[at]?.kind === 'cents';

function legendSheet(legend: readonly TickMeaning[]): WriteSheet {
  const sheet = new Rows();
  sheet.add(['Mark', 'Meaning'], { 0: bold, 1: bold });
  for (const { mark, meaning } of legend) sheet.add([mark, meaning]);
  return { name: 'Legend', rows: sheet.rows, cells: sheet.cells, columns: [{ width: 10 }, { width: 80 }] };
}
