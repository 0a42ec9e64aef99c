import type { ImportAnswerOption, ImportQuestion } from '../model/bank-file.ts';
import type { ProfileField } from '../model/profile.ts';
import {
  analyzeColumns,
  type ColumnLayout,
  type ColumnStatistics,
  hasAmount,
  numberedColumnNames,
  uniqueNames,
} from './column-layout.ts';
import { incomingWords, outgoingWords } from './column-words.ts';
import { MAX_HEADER_ROWS, type Row, rowsBelow, type Table } from './table-rows.ts';

/** Share of a column's cells that must be dates or amounts for it to be a candidate. Chosen by judgment. */
const MOST = 0.8;

/**
 * Completes the columns of a table without a known profile from the answers given, then from the columns' contents. Asks
 * if several columns are possible. Returns null if no columns could be a date and an amount.
 */
export function completeColumns(
  { head, rows }: Pick<Table, 'head' | 'rows'>,
  found: ColumnLayout | null,
  answers: Readonly<Record<string, string>>,
): { layout: ColumnLayout | null; questions: ImportQuestion[] } {
  const given = new Map(Object.entries(answers));
  const start = found ?? guessed(head);
  const body = head.slice(start.header + 1);
  const columns = new Map(start.columns);
  const looks = analyzeColumns(body);
  const questions: ImportQuestion[] = [];
  const settle = (field: ProfileField, text: string, candidates: readonly ColumnStatistics[]) => {
    const key = `column.${field}`;
    const answer = start.names.indexOf(given.get(key) ?? '');
    const column = answer >= 0 ? answer : candidates[0]?.column;
    if (column === undefined) return;
    columns.set(field, [column]);
    if (answer >= 0 || candidates.length < 2) return;
    questions.push({
      key,
      text,
      readings: candidates.map((look) => reading(look.column, start.names, body)),
    });
  };
  if (!columns.has('booked_on') || given.has('column.booked_on')) {
    settle('booked_on', 'Which column is the booking date?', looks.filter(isDates));
  }
  if (!hasAmount(columns) || given.has('column.amount')) {
    const taken = new Set([...columns.values()].flat());
    const possible = looks.filter((look) => isAmounts(look) && !taken.has(look.column));
    const decimal = possible.filter(({ decimals }) => decimals > 0);
    settle('amount', 'Which column is the amount?', decimal.length > 0 ? decimal : possible);
  }
  if (!columns.has('description')) {
    const taken = new Set([...columns.values()].flat());
    const longest = looks
      .filter((look) => !taken.has(look.column) && look.dates + look.amounts < look.filled)
      .toSorted((a, b) => b.length - a.length)[0];
    if (longest !== undefined) columns.set('description', [longest.column]);
  }
  const direction = directionColumn(rowsBelow(rows, start.header), columns);
  if (direction !== null) columns.set('direction', [direction]);
  const complete = columns.has('booked_on') && hasAmount(columns);
  return { layout: complete ? { ...start, columns } : null, questions };
}

/**
 * Returns the column with the direction of unsigned amounts, recognized by its contents: debit and credit, in and out.
 */
function directionColumn(
  rows: Iterable<Row>,
  columns: ReadonlyMap<ProfileField, readonly number[]>,
): number | null {
  const [amount] = columns.get('amount') ?? [];
  if (amount === undefined || columns.has('direction') || columns.has('credit')) return null;
  const taken = new Set([...columns.values()].flat());
  /** Columns whose texts so far were all directions, and whether there were any. */
  let possible: Map<number, boolean> | null = null;
  for (const { cells } of rows) {
    if (/^\W*[-(\u2212]|-\s*$/.test(cells[amount] ?? '')) return null;
    possible ??= new Map(
      [...cells.keys()].filter((column) => !taken.has(column)).map((column) => [column, false]),
    );
    for (const column of possible.keys()) {
      const word = cells[column]?.trim().toLowerCase() ?? '';
      if (word === '') continue;
      if (isDirection(word)) possible.set(column, true);
      else possible.delete(column);
    }
    if (possible.size === 0) return null;
  }
  return [...(possible ?? [])].find(([, filled]) => filled)?.[0] ?? null;
}

/** Only complete words count, because a single letter or sign may mean anything. */
const isDirection = (word: string) => word.length > 1 && (outgoingWords.has(word) || incomingWords.has(word));

const isDates = ({ dates, filled }: ColumnStatistics) => dates > 0 && dates >= filled * MOST;
const isAmounts = ({ amounts, filled }: ColumnStatistics) => amounts > 0 && amounts >= filled * MOST;

/** Returns the layout without a known header. The row above the first one with a date is taken as the header. */
function guessed(rows: readonly Row[]): ColumnLayout {
  const first = rows
    .slice(0, MAX_HEADER_ROWS)
    .findIndex((row) => analyzeColumns([row]).some(({ dates }) => dates > 0));
  const header = rows[first - 1]?.cells ?? [];
  const columns = new Map<ProfileField, readonly number[]>();
  if (header.length >= 2) return { header: first - 1, names: uniqueNames(header), columns, currency: null };
  const width = Math.max(...rows.slice(0, MAX_HEADER_ROWS).map(({ cells }) => cells.length), 0);
  return { header: -1, names: numberedColumnNames(width), columns, currency: null };
}

function reading(column: number, names: readonly string[], rows: readonly Row[]): ImportAnswerOption {
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
