import type { CalendarDate } from '../../ledger/index.ts';
import type { DateOrder, DecimalMark } from '../model/profile.ts';
import type { StatementDraft } from '../statements/line-collector.ts';
import { type AmountReading, readAmount } from '../values/amount-text.ts';
import { currencyCode } from '../values/currency.ts';
import { readDate } from '../values/date-text.ts';
import { accountLabels, closingLabels, openingLabels } from './column-words.ts';
import { normalizeName, type Row } from './table-rows.ts';

/** Labels at the start of a total row. */
const SUM = /^(?:sub|grand)?tot(?:al|als|ales|ali|aux)?(?![a-z])|^(?:summe|gesamt|suma|somme|totaal|totale)/i;
const CURRENCY_LABELS = new Set(['currency', 'wahrung', 'divisa', 'devise', 'munt', 'moneda', 'waluta']);

export const isTotalRow = (row: Row): boolean => row.cells.some((cell) => SUM.test(cell.trim()));

/** Returns which balance a row states by its label, or null. */
export function balanceLabel(row: Row): 'opening' | 'closing' | null {
  for (const cell of row.cells) {
    const plain = normalizeName(cell);
    if (plain === '') continue;
    if (openingLabels.some((label) => plain.startsWith(label))) return 'opening';
    if (closingLabels.some((label) => plain.startsWith(label))) return 'closing';
  }
  return null;
}

/** Takes account, currency and balances from a labeled row above or below the lines. */
export function readLabeledRow(
  row: Row,
  statement: StatementDraft,
  { order, mark, currency }: { order: DateOrder; mark: DecimalMark; currency: string | null },
): void {
  const filled = row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const label = normalizeName(filled[0] ?? '');
  if (filled.length >= 2 && accountLabels.has(label)) statement.account ??= filled[1] ?? null;
  if (filled.length >= 2 && CURRENCY_LABELS.has(label)) statement.currency ??= currencyCode(filled[1] ?? '');
  const which = balanceLabel(row);
  if (which === null || statement[which] !== null) return;
  const amounts = filled
    .map((cell) => readAmount(cell, mark, statement.currency ?? currency))
    .filter((reading): reading is Extract<AmountReading, { cents: number }> => 'cents' in reading);
  const amount = amounts.at(-1);
  if (amount === undefined) return;
  statement[which] = { amount_in_cents: amount.cents, date: dateIn(filled, order) };
}

/** Returns a date in one of the texts, alone or as one of its words. */
function dateIn(texts: readonly string[], order: DateOrder): CalendarDate | null {
  for (const text of texts) {
    const date = readDate(text, order);
    if (date !== null) return date;
    for (const word of text.slice(0, 200).split(/[\s:;,()]+/)) {
      const date = /\d[-/.]\d/.test(word) ? readDate(word, order) : null;
      if (date !== null) return date;
    }
  }
  return null;
}
