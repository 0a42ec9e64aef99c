import type { CalendarDate } from '../../ledger/index.ts';
import type { DateOrder, DecimalMark } from '../model/profile.ts';
import type { StatementDraft } from '../statements/line-collector.ts';
import { type ParsedAmount, parseAmount } from '../values/amount-text.ts';
import { parseCurrencyCode } from '../values/currency.ts';
import { parseDateText } from '../values/date-text.ts';
import {
  type BalanceLabel,
  type BalanceLineLabel,
  findBalanceLabelAtStart,
  isTotalLabel,
  parseBalanceLabel,
} from './balance-labels.ts';
import { accountRowLabels } from './column-header-words.ts';
import { normalizeColumnName, type TableRow } from './table-rows.ts';

const SUM = /^(?:sub|grand)?tot(?:al|als|ales|ali|aux)?(?![a-z])|^(?:summe|gesamt|suma|somme|totaal|totale)/i;
const CURRENCY_LABELS = new Set([
  ...['currency', 'wahrung', 'waehrung', 'divisa', 'devise', 'munt', 'moneda', 'waluta', 'moeda', 'valuta'],
  ...['accountcurrency', 'kontowahrung', 'bewertetin', 'mena', 'monnaie', 'valuutta', 'ccy'],
]);

/** Yields the rows that do not state a balance or a total without a date, for example a footer. */
export function* withoutLabeledRows(rows: Iterable<TableRow>): Generator<TableRow> {
  for (const row of rows) if (findBalanceLabel(row) === null && !isTotalLine(row)) yield row;
}

export const isTotalRow = (row: TableRow): boolean => row.cells.some((cell) => SUM.test(cell.trim()));

/** Returns the balance that a row's label names; null if there is none. */
export function findBalanceLabel(row: TableRow): BalanceLabel | null {
  for (const cell of row.cells) {
    const label = findBalanceLabelAtStart(cell);
    if (label !== null) return label;
  }
  return null;
}

/** Finds the few texts that can name a balance or a total, because comparing every cell would be slow. */
const POSSIBLE_NAME =
  /bal|sald|s a l d o|sold|stand|forward|tot|sum|zosta|zůst|egyen|stan|stav|vortrag|report|ogół|raz|yht|celk|spol|összes|ukup|topla|bertrag|bakiye|υπόλ|σύν|остат|салдо|итог|繰越|余额|残高|잔액|合计|合計/i;

const findName = <Name>(row: TableRow, find: (text: string) => Name | null): Name | null => {
  for (const cell of row.cells) {
    if (cell.length > 80 || !POSSIBLE_NAME.test(cell)) continue;
    const name = find(cell);
    if (name !== null) return name;
  }
  return null;
};

/** Returns the balance named by the only text of a row with a date; null if there is none. */
export const findBalanceLine = (row: TableRow): BalanceLineLabel | null => findName(row, parseBalanceLabel);

/** Returns true if a cell of the row names a total and nothing else. */
export const isTotalLine = (row: TableRow): boolean =>
  findName(row, (text) => isTotalLabel(text) || null) !== null;

const isCompactDate = (cell: string, order: DateOrder): boolean =>
  /^\d{8}$/.test(cell) && parseDateText(cell, order) !== null;

/** Returns the trimmed text of a cell without the `="…"` that prevents its conversion in spreadsheets. */
const unquoteCell = (cell: string): string =>
  cell
    .trim()
    .replace(/^="(.*)"$/s, '$1')
    .trim();

/** Reads the account, currency and balances from a labeled row above or below the lines. */
export function readLabeledRow(
  row: TableRow,
  statement: StatementDraft,
  { order, mark, currency }: { order: DateOrder; mark: DecimalMark; currency: string | null },
): void {
  const filled = row.cells.map(unquoteCell).filter((cell) => cell !== '');
  const label = normalizeColumnName(filled[0] ?? '');
  if (filled.length >= 2 && accountRowLabels.has(label)) statement.account ??= filled[1] ?? null;
  if (filled.length >= 2 && CURRENCY_LABELS.has(label))
    statement.currency ??= parseCurrencyCode(filled[1] ?? '');
  const balance = findBalanceLabel(row);
  if (balance === null || statement[balance] !== null) return;
  const amounts = filled
    .flatMap((cell) => [cell, /[:=]([^:=]+)$/.exec(cell)?.[1] ?? ''])
    .filter((cell) => cell !== '' && !isCompactDate(cell, order))
    .map((cell) => parseAmount(cell, mark, statement.currency ?? currency))
    .filter((reading): reading is Extract<ParsedAmount, { cents: number }> => 'cents' in reading);
  const amount = amounts.at(-1);
  if (amount === undefined) return;
  statement[balance] = { amount_in_cents: amount.cents, date: findDate(filled, order) };
}

/** Returns the first date in the texts, either as a complete text or as one of its words. */
function findDate(texts: readonly string[], order: DateOrder): CalendarDate | null {
  for (const text of texts) {
    const date = parseDateText(text, order);
    if (date !== null) return date;
    for (const word of text.slice(0, 200).split(/[\s:;,()]+/)) {
      const date = /\d[-/.]\d/.test(word) ? parseDateText(word, order) : null;
      if (date !== null) return date;
    }
  }
  return null;
}
