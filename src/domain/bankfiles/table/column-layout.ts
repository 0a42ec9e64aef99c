import { type BankFileProfile, type BankProfileField, dateOrders } from '../model/profile.ts';
import { parseAmount } from '../values/amount-text.ts';
import { parseCurrencySign } from '../values/currency.ts';
import { parseDateText } from '../values/date-text.ts';
import { findColumnHeaderMeanings } from './column-header-words.ts';
import { HEADER_SEARCH_ROWS, MAX_ANALYZED_ROWS, normalizeColumnName, type TableRow } from './table-rows.ts';

/** Names and meanings of a table's columns. */
export interface ColumnLayout {
  /** Index of the header row; -1 if there is none. */
  readonly header: number;
  /** Column names. Without a header, they are `column 1`, `column 2` and so on. */
  readonly names: readonly string[];
  readonly columns: ReadonlyMap<BankProfileField, readonly number[]>;
  /** Currency named in a column header, for example `Amount (EUR)`. */
  readonly currency: string | null;
}

/** Returns the profile whose headers the table contains; of several, the one with the most headers. */
export function recognizeBankProfile(
  rows: readonly TableRow[],
  profiles: readonly BankFileProfile[],
): BankFileProfile | null {
  for (const { cells } of rows.slice(0, HEADER_SEARCH_ROWS)) {
    if (cells.length < 2) continue;
    const names = new Set(cells.map(normalizeColumnName));
    const [best] = profiles
      .filter(({ recognized_by: headers }) => {
        return headers.length > 0 && headers.every((header) => names.has(normalizeColumnName(header)));
      })
      .toSorted((a, b) => b.recognized_by.length - a.recognized_by.length);
    if (best !== undefined) return best;
  }
  return null;
}

/** Returns the columns named by a profile; null if the date or the amount is missing. */
export function findLayoutByProfile(
  rows: readonly TableRow[],
  profile: BankFileProfile,
): ColumnLayout | null {
  if (profile.positions !== undefined && profile.header_line === 0) {
    const columns = new Map<BankProfileField, number[]>();
    for (const [field, position] of Object.entries(profile.positions))
      columns.set(field as BankProfileField, [position - 1]);
    const width = Math.max(...rows.slice(0, HEADER_SEARCH_ROWS).map(({ cells }) => cells.length), 0);
    return { header: -1, names: createNumberedColumnNames(width), columns, currency: null };
  }
  for (const [index, row] of rows.slice(0, HEADER_SEARCH_ROWS).entries()) {
    const line = Number(/\d+$/.exec(row.location)?.[0]);
    if (profile.header_line !== undefined && line !== profile.header_line) continue;
    const columns = findProfileColumns(row.cells, profile);
    if (columns.has('booked_on') && hasAmountColumn(columns))
      return { header: index, names: toUniqueColumnNames(row.cells), columns, currency: null };
  }
  return null;
}

/** Returns the columns of each profile field whose headers a row contains. */
function findProfileColumns(cells: readonly string[], profile: BankFileProfile) {
  const columns = new Map<BankProfileField, readonly number[]>();
  const headers = cells.map(normalizeColumnName);
  for (const [field, names] of Object.entries(profile.columns)) {
    const foundColumns = names
      .map((name) => headers.indexOf(normalizeColumnName(name)))
      .filter((column) => column >= 0);
    if (foundColumns.length > 0) columns.set(field as BankProfileField, foundColumns);
  }
  return columns;
}

export const hasAmountColumn = (columns: ReadonlyMap<BankProfileField, readonly number[]>): boolean =>
  columns.has('amount') ||
  columns.has('credit') ||
  columns.has('debit') ||
  columns.has('net') ||
  columns.has('net_credit');

/** Returns the header: the row with the most known column names, at least two and one of them a date. */
export function findHeader(rows: readonly TableRow[]): ColumnLayout | null {
  let best: { layout: ColumnLayout; score: number } | null = null;
  for (const [index, { cells }] of rows.slice(0, HEADER_SEARCH_ROWS).entries()) {
    const layout = interpretHeader(index, cells);
    const score = layout.columns.size;
    if (score >= 2 && layout.columns.has('booked_on') && score > (best?.score ?? 0)) best = { layout, score };
  }
  return best?.layout ?? null;
}

/** Interprets cells as column headers. Each column has one meaning; each field gets its most reliable column. */
function interpretHeader(header: number, cells: readonly string[]): ColumnLayout {
  let currency: string | null = null;
  const claims: { field: BankProfileField; rank: number; column: number }[] = [];
  cells.forEach((cell, column) => {
    for (const { name, unit } of listHeaderReadings(cell)) {
      const meanings = findColumnHeaderMeanings(name);
      if (meanings.length === 0) continue;
      if (unit !== null) currency ??= unit;
      for (const { field, rank } of meanings) claims.push({ field, rank, column });
      break;
    }
  });
  claims.sort((a, b) => a.rank - b.rank || a.column - b.column);
  const columns = new Map<BankProfileField, number[]>();
  const taken = new Set<number>();
  for (const { field, column } of claims) {
    if (taken.has(column) || columns.has(field)) continue;
    columns.set(field, [column]);
    taken.add(column);
  }
  return { header, names: toUniqueColumnNames(cells), columns, currency };
}

/** Yields a header split into name and currency, and then the unchanged header. */
function* listHeaderReadings(cell: string): Generator<{ name: string; unit: string | null }> {
  const match = /^(.{1,80}?)[\s([]+(?:in )?([A-Z]{3}|[€£])[)\]]?$/.exec(cell.trim());
  const unit = match === null ? null : parseCurrencySign(match[2] as string);
  if (match !== null && unit !== null) yield { name: match[1] as string, unit };
  yield { name: cell, unit: null };
}

export const createNumberedColumnNames = (width: number): string[] =>
  Array.from({ length: width }, (_, column) => `column ${column + 1}`);

/** Returns unique column names. For example, a second `Amount` becomes `Amount (2)`. */
export function toUniqueColumnNames(cells: readonly string[]): string[] {
  const used = new Set<string>();
  return cells.map((cell, column) => {
    const name = cell.trim().slice(0, 100) || `column ${column + 1}`;
    let unique = name;
    for (let times = 2; used.has(unique); times++) unique = `${name} (${times})`;
    used.add(unique);
    return unique;
  });
}

export interface ColumnStatistics {
  readonly column: number;
  readonly dates: number;
  readonly amounts: number;
  readonly decimals: number;
  readonly filled: number;
  readonly length: number;
}

/** Returns column statistics, used to interpret a table without a meaningful header or to ask about its columns. */
export function analyzeColumns(rows: readonly TableRow[]): ColumnStatistics[] {
  const statistics: { -readonly [Name in keyof ColumnStatistics]: ColumnStatistics[Name] }[] = [];
  for (const { cells } of rows.slice(0, MAX_ANALYZED_ROWS)) {
    cells.forEach((cell, column) => {
      statistics[column] ??= { column, dates: 0, amounts: 0, decimals: 0, filled: 0, length: 0 };
      const columnStatistics = statistics[column];
      const text = cell.trim();
      if (text === '') return;
      columnStatistics.filled++;
      columnStatistics.length += text.length;
      if (dateOrders.some((order) => parseDateText(text, order) !== null)) columnStatistics.dates++;
      else if ('cents' in parseAmount(text, '.', null) || 'cents' in parseAmount(text, ',', null)) {
        columnStatistics.amounts++;
        if (/[.,]\d\d\D{0,4}$/.test(text)) columnStatistics.decimals++;
      }
    });
  }
  return statistics.filter((look) => look !== undefined);
}
