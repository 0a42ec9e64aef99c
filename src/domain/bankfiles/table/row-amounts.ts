import type { Cents } from '../../ledger/index.ts';
import type { ForeignAmount } from '../model/bank-file.ts';
import type { BankLineKind } from '../model/line-kind.ts';
import type { BankFileProfile, BankProfileField, DecimalMark } from '../model/profile.ts';
import { parseAmount, parseMinorUnits } from '../values/amount-text.ts';
import { parseCurrencyCode } from '../values/currency.ts';
import { incomingDirectionWords, outgoingDirectionWords } from './column-header-words.ts';

/** A table row's cells by profile field. */
export interface RowCells {
  /** Returns the first non-empty cell among a field's columns; an empty string if there is none. */
  first(field: BankProfileField): string;
  all(field: BankProfileField): readonly string[];
  has(field: BankProfileField): boolean;
}

/** Amount conventions that apply to all rows of a table. */
export interface AmountConventions {
  readonly profile: BankFileProfile;
  readonly mark: DecimalMark;
  /** Currency of all lines, taken from the profile, the header or the text above the header. */
  readonly currency: string | null;
  /** Currency of lines that name none anywhere, not even in the amount. */
  readonly fallbackCurrency: string | null;
  /** True if debits are written as positive amounts. A negative debit is then returned money. */
  readonly areDebitsPositive: boolean;
}

export interface RowAmounts {
  readonly amount: Cents;
  readonly fee: Cents | null;
  readonly net: Cents | null;
  readonly currency: string | null;
  readonly foreign: ForeignAmount | null;
  /** One sentence per value that is readable but unusual. */
  readonly doubts: readonly string[];
}

/** Thrown if a table cell cannot be read. */
export class UnreadableCellError extends Error {}

/** Returns amount, fee and net of a row; null if it has no amount. Throws UnreadableCellError. */
export function readRowAmounts(
  cells: RowCells,
  kind: BankLineKind,
  conventions: AmountConventions,
): RowAmounts | null {
  const { profile } = conventions;
  const doubts: string[] = [];
  const stated = readCurrency(cells, conventions);
  let namedCurrency: string | null = null;
  const read = (text: string, unit: string | null): Cents => {
    const amount = parseCellAmount(text, unit ?? conventions.fallbackCurrency, conventions);
    namedCurrency ??= amount.currency;
    if (unit !== null && amount.currency !== null && amount.currency !== unit)
      doubts.push(`The amount is written in ${amount.currency}, but the line is in ${unit}.`);
    return amount.cents;
  };

  const context = { conventions, doubts };
  const grossUnit = parseCurrencyCode(cells.first('gross_currency')) ?? stated;
  let gross = readDirectedAmount(cells, GROSS_COLUMNS, (text) => read(text, grossUnit), context);
  const net = readDirectedAmount(cells, NET_COLUMNS, (text) => read(text, stated), context);
  const fee = readFee(cells, (text) => read(text, stated), profile);
  if (gross !== null && profile.outgoing?.includes(kind)) gross = 0 - Math.abs(gross);
  if (gross !== null && profile.turned) gross = 0 - gross;
  if (gross === null && net === null) return null;

  const currency = stated ?? namedCurrency ?? conventions.fallbackCurrency;
  const outside = gross !== null && grossUnit !== stated && net !== null;
  const foreign: ForeignAmount | null = outside
    ? { amount_in_cents: gross ?? 0, currency: grossUnit ?? '', rate: cells.first('rate') || null }
    : readForeignAmount(cells, currency, gross ?? net ?? 0, (text, unit) => read(text, unit));
  if (outside) gross = null;
  return { ...completeAmounts({ gross, fee, net }, profile, doubts), currency, foreign, doubts };
}

/** Completes gross, fee and net by the rule that gross minus fee is net. Reports rows in which the three disagree. */
function completeAmounts(
  { gross, fee, net }: { gross: Cents | null; fee: Cents | null; net: Cents | null },
  profile: BankFileProfile,
  doubts: string[],
): { amount: Cents; fee: Cents | null; net: Cents | null } {
  if (profile.source === 'bank') {
    // A fee column in a bank's file describes a charge that is already included in the amount.
    return { amount: gross ?? net ?? 0, fee: null, net: null };
  }
  if (gross === null) return toRowAmounts(add(net ?? 0, fee ?? 0), fee ?? 0, net ?? 0);
  if (net === null) return toRowAmounts(gross, fee ?? 0, add(gross, -(fee ?? 0)));
  if (fee !== null && add(gross, -fee) !== net)
    doubts.push('Gross minus fee is not the stated net. The fee was calculated as gross minus net.');
  return toRowAmounts(gross, add(gross, -net), net);
}

const toRowAmounts = (amount: Cents, fee: Cents, net: Cents) => ({ amount, fee: fee === 0 ? 0 : fee, net });

function add(a: Cents, b: Cents): Cents {
  const sum = a + b;
  if (!Number.isSafeInteger(sum))
    throw new UnreadableCellError('The amounts are too large to represent exactly.');
  return sum;
}

/** Columns of an amount: either one signed column (or with a direction), or one column per direction. */
interface AmountColumns {
  readonly signed: BankProfileField;
  readonly incoming: BankProfileField;
  readonly outgoing: BankProfileField;
}

const GROSS_COLUMNS: AmountColumns = { signed: 'amount', incoming: 'credit', outgoing: 'debit' };
const NET_COLUMNS: AmountColumns = { signed: 'net', incoming: 'net_credit', outgoing: 'net_debit' };

/** Returns an amount, positive for money received; null if its columns are empty. */
function readDirectedAmount(
  cells: RowCells,
  columns: AmountColumns,
  read: (text: string) => Cents,
  { conventions, doubts }: { conventions: AmountConventions; doubts: string[] },
): Cents | null {
  const text = cells.first(columns.signed);
  if (text !== '') {
    const direction = columns.signed === 'amount' ? cells.first('direction').toLowerCase() : '';
    return applyDirection(read(text), direction, conventions.profile);
  }
  const [credit, debit] = [cells.first(columns.incoming), cells.first(columns.outgoing)];
  if (credit === '' && debit === '') return null;
  const received = credit === '' ? 0 : read(credit);
  const paid = debit === '' ? 0 : read(debit);
  if (received !== 0 && paid !== 0)
    doubts.push('The row has a credit and a debit. The line is their difference.');
  return add(received, conventions.areDebitsPositive ? -paid : paid) || 0;
}

function applyDirection(amount: Cents, direction: string, { outgoing_directions }: BankFileProfile): Cents {
  if (direction === '') return amount;
  const isOutgoing = outgoing_directions?.includes(direction) ?? outgoingDirectionWords.has(direction);
  if (isOutgoing) return 0 - Math.abs(amount);
  if (outgoing_directions !== undefined || incomingDirectionWords.has(direction)) return Math.abs(amount);
  throw new UnreadableCellError(`“${direction}” is not a known direction (incoming or outgoing).`);
}

/** Returns the sum of all fee columns; null if they are empty. A cost is positive. */
function readFee(cells: RowCells, read: (text: string) => Cents, profile: BankFileProfile): Cents | null {
  if (!cells.has('fee')) return null;
  const sum = cells.all('fee').reduce((total, text) => add(total, read(text)), 0);
  return (profile.fee_sign === 'negative' ? -sum : sum) || 0;
}

function readCurrency(cells: RowCells, { profile, currency }: AmountConventions): string | null {
  const text = cells.first('currency');
  if (text === '') return profile.currency ?? currency;
  const code = parseCurrencyCode(text);
  if (code === null) throw new UnreadableCellError(`“${text.slice(0, 20)}” is not a currency.`);
  return code;
}

function readForeignAmount(
  cells: RowCells,
  currency: string | null,
  amount: Cents,
  read: (text: string, unit: string) => Cents,
): ForeignAmount | null {
  const unit = parseCurrencyCode(cells.first('foreign_currency'));
  const text = cells.first('foreign_amount');
  if (unit === null || unit === currency || text === '') return null;
  const size = Math.abs(read(text, unit));
  return { amount_in_cents: amount < 0 ? 0 - size : size, currency: unit, rate: cells.first('rate') || null };
}

/** Parses an amount and its currency by the table's conventions. Throws UnreadableCellError. */
export function parseCellAmount(
  text: string,
  currency: string | null,
  { profile, mark }: Pick<AmountConventions, 'profile' | 'mark'>,
): { readonly cents: Cents; readonly currency: string | null } {
  const parsed = profile.unit === 'minor' ? parseMinorUnits(text) : parseAmount(text, mark, currency);
  if ('reason' in parsed)
    throw new UnreadableCellError(`The amount “${text.trim().slice(0, 60)}” ${parsed.reason}.`);
  return parsed;
}
