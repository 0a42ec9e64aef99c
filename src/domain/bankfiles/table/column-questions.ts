import type { ImportQuestion } from '../model/bank-file.ts';
import type { BankProfileField } from '../model/profile.ts';
import { incomingDirectionWords, outgoingDirectionWords } from './column-header-words.ts';
import {
  analyzeColumns,
  type ColumnLayout,
  type ColumnStatistics,
  createNumberedColumnNames,
  hasAmountColumn,
  toUniqueColumnNames,
} from './column-layout.ts';
import { HEADER_SEARCH_ROWS, type ImportTable, listRowsBelowHeader, type TableRow } from './table-rows.ts';

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
    const used = new Set([...columns.values()].flat());
    const possible = statistics.filter((column) => isAmountColumn(column) && !used.has(column.column));
    const decimal = possible.filter(({ decimals }) => decimals > 0);
    chooseColumn('amount', 'Which column is the amount?', decimal.length > 0 ? decimal : possible);
  }
  if (!columns.has('description')) {
    const used = new Set([...columns.values()].flat());
    const longest = statistics
      .filter((column) => !used.has(column.column) && column.dates + column.amounts < column.filled)
      .toSorted((a, b) => b.length - a.length)[0];
    if (longest !== undefined) columns.set('description', [longest.column]);
  }
  const direction = findDirectionColumn(listRowsBelowHeader(rows, start.header), columns);
  if (direction !== null) columns.set('direction', [direction]);
  const complete = columns.has('booked_on') && hasAmountColumn(columns);
  return { layout: complete ? { ...start, columns } : null, questions };
}

/** Returns the column that contains the direction of unsigned amounts, recognized by texts such as debit and credit. */
function findDirectionColumn(
  rows: Iterable<TableRow>,
  columns: ReadonlyMap<BankProfileField, readonly number[]>,
): number | null {
  const [amount] = columns.get('amount') ?? [];
  if (amount === undefined || columns.has('direction') || columns.has('credit')) return null;
  const used = new Set([...columns.values()].flat());
  /** Columns whose cells have all been directions or empty so far. The value is true if one was a direction. */
  let candidates: Map<number, boolean> | null = null;
  for (const { cells } of rows) {
    if (/^\W*[-(\u2212]|-\s*$/.test(cells[amount] ?? '')) return null;
    candidates ??= new Map(
      [...cells.keys()].filter((column) => !used.has(column)).map((column) => [column, false]),
    );
    excludeOtherTexts(candidates, cells);
    if (candidates.size === 0) return null;
  }
  return [...(candidates ?? [])].find(([, hasText]) => hasText)?.[0] ?? null;
}

/** Removes the candidate columns whose cell in this row contains anything other than a direction. */
function excludeOtherTexts(candidates: Map<number, boolean>, cells: readonly string[]): void {
  for (const column of candidates.keys()) {
    const word = cells[column]?.trim().toLowerCase() ?? '';
    if (word === '') continue;
    if (isDirection(word)) candidates.set(column, true);
    else candidates.delete(column);
  }
}

/** Single letters and signs do not count as directions, because they may mean anything. */
const isDirection = (word: string) =>
  word.length > 1 && (outgoingDirectionWords.has(word) || incomingDirectionWords.has(word));

const isDateColumn = ({ dates, filled }: ColumnStatistics) => dates > 0 && dates >= filled * MIN_COLUMN_SHARE;
const isAmountColumn = ({ amounts, filled }: ColumnStatistics) =>
  amounts > 0 && amounts >= filled * MIN_COLUMN_SHARE;

/** Returns the layout of a table without a known header. The row above the first row with a date becomes the header. */
function guessLayout(rows: readonly TableRow[]): ColumnLayout {
  const first = rows
    .slice(0, HEADER_SEARCH_ROWS)
    .findIndex((row) => analyzeColumns([row]).some(({ dates }) => dates > 0));
  const header = rows[first - 1]?.cells ?? [];
  const columns = new Map<BankProfileField, readonly number[]>();
  if (header.length >= 2)
    return { header: first - 1, names: toUniqueColumnNames(header), columns, currency: null };
  const width = Math.max(...rows.slice(0, HEADER_SEARCH_ROWS).map(({ cells }) => cells.length), 0);
  return { header: -1, names: createNumberedColumnNames(width), columns, currency: null };
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
