import type { Cents } from '../../ledger/index.ts';
import type { BankFileProfile, DateOrder, DecimalMark } from '../model/profile.ts';
import type { StatementDraft } from '../statements/line-collector.ts';
import { parseDateText } from '../values/date-text.ts';
import { type AmountPart, GROSS_FIELDS, readAmountParts } from './amount-rules.ts';
import { AmountSurvey, type RawLineAmounts } from './amount-survey.ts';
import type { ColumnLayout } from './column-layout.ts';
import type { Direction } from './direction-words.ts';
import { findBalanceLabel, findBalanceLine, isTotalLine, readLabeledRow } from './labeled-rows.ts';
import { parseCellAmount, readFee } from './row-amounts.ts';
import { getRowCells, type RowCells, UnreadableCellError } from './row-cells.ts';
import type { TableRow } from './table-rows.ts';

/** Texts with which the issuer of a credit card confirms the payment of its bill. */
const BILL_PAYMENT =
  /thank ?you|payment (?:received|recd)|autopay|(?:zahlung|einzahlung|gutschrift).{0,20}dank|besten dank|vielen dank|merci|paiement re[cç]u|gracias|pago recibido|grazie|obrigad|bedankt|betaling ontvangen|tack f[oö]r|tak for/i;

export interface SurveyContext {
  readonly layout: ColumnLayout;
  readonly profile: BankFileProfile;
  readonly order: DateOrder;
  readonly mark: DecimalMark;
  readonly currency: string | null;
  readonly directions: ReadonlyMap<string, Direction>;
  readonly idle: ReadonlySet<string>;
}

/**
 * Surveys the amounts of all rows that can be lines. Rows without a date, with totals or with a pending status are left
 * out. `change` is the closing minus the opening balance of the table; null if it does not state both.
 */
export function surveyRows(
  rows: Iterable<TableRow>,
  statement: StatementDraft,
  context: SurveyContext,
): { survey: AmountSurvey; change: Cents | null } {
  const survey = new AmountSurvey();
  const stated = { ...statement };
  for (const row of rows) {
    const cells = getRowCells(context.layout, row);
    const kind = classifyRow(row, cells, context);
    if (kind === 'label') readLabeledRow(row, stated, context);
    if (kind !== 'line') continue;
    try {
      const amounts = readRawLineAmounts(row, cells, context);
      if (amounts !== null) survey.add({ ...amounts, isBillPayment: BILL_PAYMENT.test(row.raw) });
    } catch (error) {
      if (!(error instanceof UnreadableCellError)) throw error;
      survey.interrupt();
    }
  }
  const { opening, closing } = stated;
  const isComplete = opening !== null && closing !== null;
  return { survey, change: isComplete ? closing.amount_in_cents - opening.amount_in_cents : null };
}

/** Returns whether a row can be a line or can state a balance; null if it is neither. */
function classifyRow(
  row: TableRow,
  cells: RowCells,
  { order, idle, layout }: SurveyContext,
): 'line' | 'label' | null {
  if (row.flaw?.effect === 'failed') return null;
  if (cells.all('status').some((status) => idle.has(status.toLowerCase()))) return null;
  if (parseDateText(cells.first('booked_on') || cells.first('value_on'), order) === null)
    return findBalanceLabel(row) === null ? null : 'label';
  if (isTotalLine(row)) return null;
  return findBalanceLine(row) === null || layout.columns.has('balance') ? 'line' : 'label';
}

function readRawLineAmounts(
  row: TableRow,
  cells: RowCells,
  context: SurveyContext,
): Omit<RawLineAmounts, 'isBillPayment'> | null {
  const { profile, directions, layout } = context;
  const read = (text: string): Cents => parseCellAmount(text, context.currency, context).cents;
  const text = cells.first('direction').toLowerCase();
  const isUnknown = text !== '' && !directions.has(text);
  const known = isUnknown && layout.columns.has('amount') ? withoutDirection(cells) : cells;
  const isBalance = findBalanceLine(row) !== null;
  const parts: AmountPart[] = isBalance ? [] : readAmountParts(known, GROSS_FIELDS, read, directions);
  const balanceText = cells.first('balance');
  const balance = balanceText === '' ? null : read(balanceText);
  if (parts.length === 0 && balance === null) return null;
  return {
    location: row.location,
    date: parseDateText(cells.first('booked_on') || cells.first('value_on'), context.order) ?? '',
    key: `${cells.first('account')}\n${cells.first('currency')}`,
    parts,
    fee: isBalance ? 0 : (readFee(cells, read, profile) ?? 0),
    balance,
    unknownDirection: isUnknown && !isBalance ? text : '',
  };
}

const withoutDirection = (cells: RowCells): RowCells => ({
  ...cells,
  first: (field) => (field === 'direction' ? '' : cells.first(field)),
});
