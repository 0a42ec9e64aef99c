import type { BankFileProfile, BankProfileField } from '../model/profile.ts';
import { parseAmount } from '../values/amount-text.ts';
import { parseCurrencySign } from '../values/currency.ts';
import { parseDateText } from '../values/date-text.ts';
import {
  fitsField,
  getRankPenalty,
  isAmount,
  isDate,
  listColumnTexts,
  MAX_COMPARED_TEXTS,
  SPARSE_PENALTY,
} from './column-contents.ts';
import { type ColumnMeaning, findColumnHeaderMeanings } from './column-header-words.ts';
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

/**
 * Returns the profile whose headers the table contains. If several match, returns the profile with the most headers. A
 * bank's profile is not used if it would ignore a sign or a fee, or if it can read no date or no amount of the table.
 */
export function recognizeBankProfile(
  rows: readonly TableRow[],
  profiles: readonly BankFileProfile[],
): BankFileProfile | null {
  for (const [index, { cells }] of rows.slice(0, HEADER_SEARCH_ROWS).entries()) {
    if (cells.length < 2) continue;
    const names = new Set(cells.flatMap((cell) => [cell, splitUnit(cell).name]).map(normalizeColumnName));
    const [best] = profiles
      .filter(({ recognized_by: headers }) => {
        return headers.length > 0 && headers.every((header) => names.has(normalizeColumnName(header)));
      })
      .filter((profile) => profile.source === 'processor' || readsAllSigns(profile, rows, index))
      .toSorted((a, b) => b.recognized_by.length - a.recognized_by.length);
    if (best !== undefined) return best;
  }
  return null;
}

const isNotZero = (text: string): boolean => /[^0.,\s]/.test(text);

function readsAllSigns(profile: BankFileProfile, rows: readonly TableRow[], header: number): boolean {
  const cells = rows[header]?.cells ?? [];
  const columns = findProfileColumns(cells, profile);
  const used = new Set([...columns.values()].flat());
  const ignored = interpretHeader(header, cells, rows).columns;
  const isSignIgnored = (['direction', 'debit', 'credit', 'fee'] as const).some((field) =>
    ignored
      .get(field)
      ?.some((column) => !used.has(column) && listColumnTexts(rows, header, column).some(isNotZero)),
  );
  const { date_order: order, decimal_mark: mark } = profile;
  const canRead = (field: BankProfileField, fits: (text: string) => boolean) => {
    const texts = (columns.get(field) ?? []).flatMap((column) => listColumnTexts(rows, header, column));
    return texts.length === 0 || texts.some(fits);
  };
  return (
    !isSignIgnored &&
    canRead('booked_on', (text) => order === undefined || parseDateText(text, order) !== null) &&
    canRead('amount', (text) => mark === undefined || 'cents' in parseAmount(text, mark, null))
  );
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
      return {
        header: index,
        names: toUniqueColumnNames(row.cells),
        columns,
        currency: findAmountUnit(row.cells, columns),
      };
  }
  return null;
}

/** Returns true if a header names the counterparty. `Customer` alone does not, because it is often an ID. */
const isCounterpartyName = (header: string): boolean =>
  normalizeColumnName(header) !== 'customer' &&
  findColumnHeaderMeanings(header).some(({ field }) => field === 'counterparty');

/** Returns the columns of each profile field whose headers a row contains. */
function findProfileColumns(cells: readonly string[], profile: BankFileProfile) {
  const columns = new Map<BankProfileField, readonly number[]>();
  const headers = cells.map(normalizeColumnName);
  const bareHeaders = cells.map((cell) => normalizeColumnName(splitUnit(cell).name));
  for (const [field, names] of Object.entries(profile.columns)) {
    const foundColumns = names
      .map(normalizeColumnName)
      .map((name) => (headers.includes(name) ? headers : bareHeaders).indexOf(name))
      .filter((column) => column >= 0);
    if (foundColumns.length > 0) columns.set(field as BankProfileField, foundColumns);
  }
  if (profile.source === 'bank' && !columns.has('counterparty')) {
    const used = new Set([...columns.values()].flat());
    const column = cells.findIndex((cell, at) => !used.has(at) && isCounterpartyName(cell));
    if (column >= 0) columns.set('counterparty', [column]);
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
    const layout = interpretHeader(index, cells, rows);
    const score = layout.columns.size;
    if (score >= 2 && layout.columns.has('booked_on') && score > (best?.score ?? 0)) best = { layout, score };
  }
  return best?.layout ?? null;
}

/** A column's possible meaning. The lowest rank wins. */
type ColumnClaim = ColumnMeaning & { readonly column: number };

/** Interprets cells as column headers. Each column has one meaning; each field gets its most reliable column. */
export function interpretHeader(
  header: number,
  cells: readonly string[],
  rows: readonly TableRow[],
): ColumnLayout {
  const units = new Map<number, string>();
  const height = Math.min(MAX_COMPARED_TEXTS, rows.length - header - 1);
  /** An amount column that is empty in most rows is not the amount if another column can be. */
  const isSparse = (field: BankProfileField, texts: readonly string[]) =>
    field === 'amount' && texts.length < height / 2;
  const claims = cells.flatMap((cell, column) => {
    for (const { name, unit } of listHeaderReadings(cell)) {
      const meanings = findColumnHeaderMeanings(name);
      if (meanings.length === 0) continue;
      if (unit !== null) units.set(column, unit);
      const texts = listColumnTexts(rows, header, column);
      return meanings
        .filter((meaning) => fitsField(meaning, texts))
        .map(({ field, rank }) => ({
          field,
          column,
          rank: rank + getRankPenalty(field, name, texts) + (isSparse(field, texts) ? SPARSE_PENALTY : 0),
        }));
    }
    return [];
  });
  const columns = assignColumns(claims);
  dropUnrelatedAmount(columns, rows.slice(header + 1));
  addSideCurrencies(columns, cells, claims);
  addForeignCurrency(columns, claims);
  const unit = findAmountUnit(cells, columns);
  const currency = unit ?? units.values().next().value ?? null;
  // The header of the amount names the account's currency, so a separate currency column contains the original
  // currency.
  const stated = columns.get('currency');
  if (unit !== null && stated !== undefined) {
    columns.delete('currency');
    if (!columns.has('foreign_currency')) columns.set('foreign_currency', stated);
  }
  return { header, names: toUniqueColumnNames(cells), columns, currency };
}

function assignColumns(claims: readonly ColumnClaim[]): Map<BankProfileField, readonly number[]> {
  const columns = new Map<BankProfileField, readonly number[]>();
  const taken = new Set<number>();
  for (const { field, column } of claims.toSorted((a, b) => a.rank - b.rank || a.column - b.column)) {
    if (taken.has(column) || columns.has(field)) continue;
    columns.set(field, [column]);
    taken.add(column);
  }
  return columns;
}

/** Drops the amount if debits and credits have columns of their own that it never agrees with, for example a number. */
function dropUnrelatedAmount(
  columns: Map<BankProfileField, readonly number[]>,
  rows: readonly TableRow[],
): void {
  const find = (field: BankProfileField) => columns.get(field)?.[0] ?? -1;
  const sides = [find('credit'), find('debit')];
  if (!columns.has('amount') || sides.includes(-1)) return;
  const digits = (text = '') => text.replace(/\D/g, '');
  const filled = rows.filter(({ cells }) => digits(cells[find('amount')]) !== '');
  const agrees = ({ cells }: TableRow) =>
    sides.some((side) => digits(cells[side]) === digits(cells[find('amount')]));
  if (filled.length > 0 && !filled.some(agrees)) columns.delete('amount');
}

/** Reads a second currency column as the original currency of the lines. */
function addForeignCurrency(
  columns: Map<BankProfileField, readonly number[]>,
  claims: readonly ColumnClaim[],
): void {
  if (columns.has('foreign_currency')) return;
  const used = new Set([...columns.values()].flat());
  const other = claims.find(({ field, column }) => field === 'currency' && !used.has(column));
  if (other !== undefined) columns.set('foreign_currency', [other.column]);
}

/** Uses the currencies of both sides if debits and credits have a currency column each. */
function addSideCurrencies(
  columns: Map<BankProfileField, readonly number[]>,
  cells: readonly string[],
  claims: readonly ColumnClaim[],
): void {
  const [first] = columns.get('currency') ?? [];
  if (first === undefined || !columns.has('debit') || !columns.has('credit')) return;
  const isSide = (column: number) => /debit|credit/.test(normalizeColumnName(cells[column] ?? ''));
  if (!isSide(first)) return;
  const others = claims.filter(
    ({ field, column }) => field === 'currency' && column !== first && isSide(column),
  );
  columns.set('currency', [first, ...others.map(({ column }) => column)]);
}

/** Yields a header split into name and currency, and then the unchanged header. */
function* listHeaderReadings(cell: string): Generator<{ name: string; unit: string | null }> {
  const split = splitUnit(cell);
  if (split.unit !== null) yield split;
  yield { name: cell, unit: null };
}

/** Splits a header such as `Amount (EUR)` into name and currency. The currency is null if the header names none. */
function splitUnit(cell: string): { name: string; unit: string | null } {
  const match =
    /^(.{1,80}?)[\s([（]+(?:in |en )?([A-Z]{3}|[€£₹円원元]|R\$|zł|Kč|euro[sa]?|EURO[SA]?)\s*[)\]）]?$/.exec(
      cell.trim(),
    );
  const unit = match === null ? null : parseCurrencySign(match[2] ?? '');
  return unit === null ? { name: cell, unit: null } : { name: match?.[1] ?? '', unit };
}

/** Returns the currency that the header of the amounts names; null if it names none. */
function findAmountUnit(
  cells: readonly string[],
  columns: ReadonlyMap<BankProfileField, readonly number[]>,
): string | null {
  for (const field of ['amount', 'credit', 'debit'] as const) {
    const { unit } = splitUnit(cells[columns.get(field)?.[0] ?? -1] ?? '');
    if (unit !== null) return unit;
  }
  return null;
}

export const createNumberedColumnNames = (width: number): string[] =>
  Array.from({ length: width }, (_, column) => `column ${column + 1}`);

/** Returns unique column names. For example, a second `Amount` becomes `Amount (2)`. */
function toUniqueColumnNames(cells: readonly string[]): string[] {
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

/** Returns statistics of the columns, used to interpret a table without a known header or to ask about its columns. */
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
      if (isDate(text)) columnStatistics.dates++;
      else if (isAmount(text)) {
        columnStatistics.amounts++;
        if (/[.,]\d\d\D{0,4}$/.test(text)) columnStatistics.decimals++;
      }
    });
  }
  return statistics.filter((look) => look !== undefined);
}
