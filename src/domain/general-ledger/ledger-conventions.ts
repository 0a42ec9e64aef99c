import type { ImportQuestion } from '../bankfiles/index.ts';
import { type DateOrder, type DecimalMark, dateOrders, decimalMarks } from '../bankfiles/model/profile.ts';
import { type ImportTable, listRowsBelowHeader, type TableRow } from '../bankfiles/table/table-rows.ts';
import { parseAmount } from '../bankfiles/values/amount-text.ts';
import {
  detectDateOrder,
  detectDecimalMark,
  resolveSetting,
  type TextSample,
} from '../bankfiles/values/value-format-detection.ts';
import { isLedgerSumRow, type LedgerColumnRole, type LedgerLayout } from './ledger-columns.ts';
import { type DatevRange, findDatevRange } from './ledger-dates.ts';
import { type LedgerFileOptions, type LedgerSignRule, ledgerSignRules } from './ledger-file.ts';

/** Settings with which the rows of a ledger file are read. */
export interface LedgerConventions {
  readonly order: DateOrder;
  readonly mark: DecimalMark;
  readonly sign: LedgerSignRule;
  readonly currency: string;
  /** Date range of a DATEV posting batch; null for other files. */
  readonly datev: DatevRange | null;
}

const amountRoles: readonly LedgerColumnRole[] = [
  ...(['debit', 'credit', 'amount', 'opening', 'closing', 'closing_debit', 'closing_credit'] as const),
];

/** Returns the settings from the user's answers or else by detection, with questions for ambiguous settings. */
export function detectLedgerConventions(
  table: ImportTable,
  layout: LedgerLayout,
  { answers = {}, today, currency }: LedgerFileOptions,
): { readonly conventions: LedgerConventions; readonly questions: readonly ImportQuestion[] } {
  const body = () => listRowsBelowHeader(table.rows, layout.header);
  const datev = table.head[0] === undefined ? null : findDatevRange(table.head[0].cells);
  const order = resolveSetting(
    datev === null ? dateOrders.find((each) => each === answers['date_order']) : 'dmy',
    () => detectDateOrder(collectSamples(body(), layout, ['dated_on']), today),
  );
  const mark = resolveSetting(
    decimalMarks.find((each) => each === answers['decimal_mark']),
    () => detectDecimalMark(collectSamples(body(), layout, amountRoles), currency),
  );
  const sign = detectSign(body(), layout, mark.value, answers['amount_sign']);
  return {
    conventions: { order: order.value, mark: mark.value, sign: sign.value, currency, datev },
    questions: [order.question, mark.question, sign.question].filter((question) => question !== null),
  };
}

function* collectSamples(
  rows: Iterable<TableRow>,
  { columns }: LedgerLayout,
  roles: readonly LedgerColumnRole[],
): Generator<TextSample> {
  const selected = roles.flatMap((role) => columns.get(role) ?? []);
  for (const { location, cells } of rows) {
    for (const column of selected) {
      const text = cells[column]?.trim();
      if (text) yield { location, text };
    }
  }
}

/** Columns that show whether an amount is a debit or a credit. */
const sideRoles: readonly LedgerColumnRole[] = [
  'direction',
  'debit',
  'credit',
  'closing_debit',
  'closing_credit',
];

/**
 * Returns the sign rule of a file with one amount or balance column. If the amounts add up to zero, debits and credits
 * have opposite signs, and debits are positive, as in the exports of all five systems. Otherwise returns a question for
 * the user.
 */
function detectSign(
  rows: Iterable<TableRow>,
  { columns }: LedgerLayout,
  mark: DecimalMark,
  answer: string | undefined,
): { readonly value: LedgerSignRule; readonly question: ImportQuestion | null } {
  const answered = ledgerSignRules.find((rule) => rule === answer);
  if (answered !== undefined) return { value: answered, question: null };
  const column = columns.get('amount') ?? columns.get('closing');
  if (sideRoles.some((role) => columns.has(role)) || column === undefined)
    return { value: 'debit', question: null };
  let sum = 0;
  let count = 0;
  for (const row of rows) {
    const amount = isLedgerSumRow(row) ? null : parseAmount(row.cells[column]?.trim() ?? '', mark, null);
    if (amount === null || !('cents' in amount)) continue;
    sum += amount.cents;
    count++;
  }
  return { value: 'debit', question: sum === 0 && count > 1 ? null : SIGN_QUESTION };
}

const SIGN_QUESTION: ImportQuestion = {
  key: 'amount_sign',
  text: 'Which amounts are positive? The file has one amount column, and its amounts do not add up to zero.',
  readings: [
    { value: 'natural', label: 'increases of the account (QuickBooks)', examples: [] },
    { value: 'debit', label: 'debits', examples: [] },
    { value: 'credit', label: 'credits', examples: [] },
  ],
};
