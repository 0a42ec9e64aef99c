import type { ImportQuestion } from '../model/bank-file.ts';
import type { BankProfileField } from '../model/profile.ts';
import { parseCurrencyCode } from '../values/currency.ts';
import { isIban } from '../values/iban.ts';
import {
  analyzeColumns,
  type ColumnLayout,
  type ColumnStatistics,
  createNumberedColumnNames,
  hasAmountColumn,
  interpretHeader,
} from './column-layout.ts';
import { resolveDirections } from './direction-words.ts';
import { withoutLabeledRows } from './labeled-rows.ts';
import { proveAmountColumns } from './proven-columns.ts';
import {
  HEADER_SEARCH_ROWS,
  type ImportTable,
  listRowsBelowHeader,
  normalizeColumnName,
  type TableRow,
} from './table-rows.ts';

/** Share of a column's cells that must be dates or amounts for it to be a candidate. Chosen by judgment. */
const MIN_COLUMN_SHARE = 0.8;

/**
 * Completes the columns of a table without a known profile, first from the user's answers, then from the columns'
 * contents. Asks if several columns are possible. Returns null if no columns can be a date and an amount.
 */
export function fillMissingColumns(
  { head, rows }: Pick<ImportTable, 'head' | 'rows'>,
  detected: ColumnLayout | null,
  answers: Readonly<Record<string, string>>,
): { layout: ColumnLayout | null; questions: ImportQuestion[] } {
  const givenAnswers = new Map(Object.entries(answers));
  const start = detected ?? guessLayout(head);
  const body = head.slice(start.header + 1);
  const columns = new Map(start.columns);
  const statistics = analyzeColumns(body);
  const questions: ImportQuestion[] = [];
  const chooseColumn = (field: BankProfileField, text: string, candidates: readonly ColumnStatistics[]) => {
    const key = `column.${field}`;
    const answer = start.names.indexOf(givenAnswers.get(key) ?? '');
    const column = answer >= 0 ? answer : candidates[0]?.column;
    if (column === undefined) return;
    columns.set(field, [column]);
    if (answer >= 0 || candidates.length < 2) return;
    questions.push({
      key,
      text,
      readings: candidates.map((column) => buildOption(column.column, start.names, body)),
    });
  };
  if (!columns.has('booked_on') || givenAnswers.has('column.booked_on'))
    chooseColumn('booked_on', 'Which column is the booking date?', statistics.filter(isDateColumn));
  if (!hasAmountColumn(columns) || givenAnswers.has('column.amount')) {
    const candidates = listAmountCandidates(statistics, columns);
    const proven = givenAnswers.has('column.amount')
      ? null
      : proveAmountColumns(body, columns, candidates.all);
    for (const [field, column] of proven ?? []) columns.set(field, [column]);
    if (proven === null) chooseColumn('amount', 'Which column is the amount?', candidates.likely);
  }
  const direction = findDirectionColumn(
    withoutLabeledRows(listRowsBelowHeader(rows, start.header)),
    columns,
    start.names,
  );
  if (direction !== null) columns.set('direction', [direction]);
  addColumnsByContents(columns, start.header, { body, statistics });
  const complete = columns.has('booked_on') && hasAmountColumn(columns);
  return { layout: complete ? { ...start, columns } : null, questions };
}

/** Returns the unused columns with amounts, and those with decimals if there are any. */
function listAmountCandidates(
  statistics: readonly ColumnStatistics[],
  columns: ReadonlyMap<BankProfileField, readonly number[]>,
) {
  const used = new Set([...columns.values()].flat());
  const all = statistics.filter((column) => isAmountColumn(column) && !used.has(column.column));
  const decimal = all.filter(({ decimals }) => decimals > 0);
  return { all: all.map(({ column }) => column), likely: decimal.length > 0 ? decimal : all };
}

/** Adds the columns of the currency, the account and the description if their contents are clear. */
function addColumnsByContents(
  columns: Map<BankProfileField, readonly number[]>,
  header: number,
  { body, statistics }: { body: readonly TableRow[]; statistics: readonly ColumnStatistics[] },
): void {
  const currency = header < 0 ? findCurrencyColumn(body, columns) : null;
  if (currency !== null) columns.set('currency', [currency]);
  const account = findAccountColumn(body, columns);
  if (account !== null) columns.set('account', [account]);
  if (columns.has('description')) return;
  const used = new Set([...columns.values()].flat());
  const longest = statistics
    .filter((column) => !used.has(column.column) && column.dates + column.amounts < column.filled)
    .toSorted((a, b) => b.length - a.length)[0];
  if (longest !== undefined) columns.set('description', [longest.column]);
}

/** Maximum number of different texts in a direction column. Chosen by judgment. */
const MAX_DIRECTIONS = 12;
/** Names of columns whose texts can decide the direction of unsigned amounts. */
const TYPE_NAME = /typ|art$|soort|tipo|^code|indicator|nature|^sens|transaction/;

/**
 * Returns the column that contains the direction of the amounts, recognized by its texts. If all amounts are unsigned,
 * also accepts a column with a few transaction types, because these decide the direction.
 */
function findDirectionColumn(
  rows: Iterable<TableRow>,
  columns: ReadonlyMap<BankProfileField, readonly number[]>,
  names: readonly string[],
): number | null {
  const [amount] = columns.get('amount') ?? [];
  if (amount === undefined || columns.has('direction') || columns.has('credit')) return null;
  const used = new Set([...columns.values()].flat());
  const unused = [...names.keys()].filter((column) => !used.has(column));
  const { texts, isSigned } = collectTexts(rows, unused, amount);
  const known = texts.find(([column, found]) => isDirectionColumn(found, names[column] ?? ''));
  if (known !== undefined || isSigned) return known?.[0] ?? null;
  const types = texts.find(
    ([column, found]) =>
      found.size > 1 &&
      TYPE_NAME.test(normalizeColumnName(names[column] ?? '')) &&
      ![...found].some((text) => /\d/.test(text)),
  );
  return types?.[0] ?? null;
}

/** Returns the distinct texts of each column with only a few distinct texts, and whether an amount has a sign. */
function collectTexts(rows: Iterable<TableRow>, unused: readonly number[], amount: number) {
  const texts = new Map(unused.map((column) => [column, new Set<string>()]));
  let isSigned = false;
  for (const { cells } of rows) {
    isSigned ||= /^\W*[-(\u2212]|-\s*$/.test(cells[amount] ?? '');
    for (const [column, found] of texts) {
      const text = cells[column]?.trim().toLowerCase() ?? '';
      if (text !== '') found.add(text);
      if (found.size > MAX_DIRECTIONS) texts.delete(column);
    }
    if (texts.size === 0) break;
  }
  return { texts: [...texts].filter(([, found]) => found.size > 0), isSigned };
}

/** Returns true if all texts are directions. A single letter or sign is not sufficient, because it is ambiguous. */
function isDirectionColumn(texts: ReadonlySet<string>, header: string): boolean {
  const directions = resolveDirections(texts, header);
  if (directions.size < texts.size) return false;
  return new Set(directions.values()).size === 2 || [...texts].every((text) => text.length > 1);
}

/** Returns an unused column with the same currency code in every row; null if several have different codes. */
function findCurrencyColumn(
  rows: readonly TableRow[],
  columns: ReadonlyMap<BankProfileField, readonly number[]>,
): number | null {
  const used = new Set([...columns.values()].flat());
  const [first] = rows;
  const found = [...(first?.cells.entries() ?? [])].filter(
    ([at, code]) =>
      !used.has(at) &&
      /^[A-Z]{3}$/.test(code.trim()) &&
      parseCurrencyCode(code) !== null &&
      rows.every(({ cells }) => cells[at] === code),
  );
  return new Set(found.map(([, code]) => code)).size === 1 ? (found[0]?.[0] ?? null) : null;
}

/** Returns an unused column in which all rows have the same IBAN: the account of the file. */
function findAccountColumn(
  rows: readonly TableRow[],
  columns: ReadonlyMap<BankProfileField, readonly number[]>,
): number | null {
  if (columns.has('account') || rows.length < 2) return null;
  const used = new Set([...columns.values()].flat());
  const [first] = rows;
  const column = first?.cells.findIndex(
    (cell, at) =>
      !used.has(at) && isIban(cell) && rows.every(({ cells }) => cells.length < 2 || cells[at] === cell),
  );
  return column === undefined || column < 0 ? null : column;
}

const isDateColumn = ({ dates, filled }: ColumnStatistics) => dates > 0 && dates >= filled * MIN_COLUMN_SHARE;
const isAmountColumn = ({ amounts, filled }: ColumnStatistics) =>
  amounts > 0 && amounts >= filled * MIN_COLUMN_SHARE;

/** Returns the layout of a table without a known header. The row above the first row with a date becomes the header. */
function guessLayout(rows: readonly TableRow[]): ColumnLayout {
  const first = rows
    .slice(0, HEADER_SEARCH_ROWS)
    .findIndex((row) => analyzeColumns([row]).some(({ dates }) => dates > 0));
  const header = rows[first - 1]?.cells ?? [];
  if (header.filter((cell) => cell.trim() !== '').length >= 2)
    return interpretHeader(first - 1, header, rows);
  const width = Math.max(...rows.slice(0, HEADER_SEARCH_ROWS).map(({ cells }) => cells.length), 0);
  return { header: -1, names: createNumberedColumnNames(width), columns: new Map(), currency: null };
}

function buildOption(column: number, names: readonly string[], rows: readonly TableRow[]) {
  const name = names[column] ?? '';
  const filled = rows.filter(({ cells }) => cells[column]?.trim()).slice(0, 3);
  return {
    value: name,
    label: name,
    examples: filled.map(({ location, cells }) => ({
      location,
      raw: cells[column] ?? '',
      meaning: cells[column] ?? '',
    })),
  };
}
