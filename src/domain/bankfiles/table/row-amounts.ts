import type { Cents } from '../../ledger/index.ts';
import type { ForeignAmount } from '../model/bank-file.ts';
import type { BankLineKind } from '../model/line-kind.ts';
import type { BankFileProfile, DecimalMark } from '../model/profile.ts';
import { parseAmount, parseMinorUnits } from '../values/amount-text.ts';
import { parseCurrencyCode, parseCurrencySign } from '../values/currency.ts';
import {
  type AmountFields,
  type AmountRules,
  applySignRule,
  GROSS_FIELDS,
  NET_FIELDS,
  readAmountParts,
} from './amount-rules.ts';
import type { Direction } from './direction-words.ts';
import { type RowCells, UnreadableCellError } from './row-cells.ts';

/** Amount conventions that apply to all rows of a table. */
export interface AmountConventions {
  readonly profile: BankFileProfile;
  readonly mark: DecimalMark;
  /** Currency of all lines, taken from the profile, the header or the text above the header. */
  readonly currency: string | null;
  /** Currency of lines that name none anywhere, not even in the amount. */
  readonly fallbackCurrency: string | null;
  readonly rules: AmountRules;
  /** Directions by the lower-case texts of the direction column. */
  readonly directions: ReadonlyMap<string, Direction>;
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
  let gross = readSignedAmount(cells, GROSS_FIELDS, (text) => read(text, grossUnit), context);
  const net = readSignedAmount(cells, NET_FIELDS, (text) => read(text, stated), context);
  const fee = readFee(cells, (text) => read(text, stated), profile);
  if (gross !== null && profile.outgoing?.includes(kind)) gross = 0 - Math.abs(gross);
  if (gross !== null && profile.negated) gross = 0 - gross;
  if (gross === null && net === null) return null;

  const currency = stated ?? namedCurrency ?? conventions.fallbackCurrency;
  const outside = gross !== null && grossUnit !== stated && net !== null;
  const foreign: ForeignAmount | null = outside
    ? { amount_in_cents: gross ?? 0, currency: grossUnit ?? '', rate: cells.first('rate') || null }
    : readForeignAmount(cells, currency, gross ?? net ?? 0, (text, unit) => read(text, unit));
  if (outside) gross = null;
  return { ...completeAmounts({ gross, fee, net }, conventions, doubts), currency, foreign, doubts };
}

/** Completes gross, fee and net by the rule that gross minus fee is net. Reports rows in which the three disagree. */
function completeAmounts(
  { gross, fee, net }: { gross: Cents | null; fee: Cents | null; net: Cents | null },
  { profile, rules }: AmountConventions,
  doubts: string[],
): { amount: Cents; fee: Cents | null; net: Cents | null } {
  if (profile.source === 'bank')
    return { amount: completeBankAmount({ gross, fee, net }, rules), fee: null, net: null };
  if (gross === null) return toRowAmounts(add(net ?? 0, fee ?? 0), fee ?? 0, net ?? 0);
  if (net === null) return toRowAmounts(gross, fee ?? 0, add(gross, -(fee ?? 0)));
  if (fee !== null && add(gross, -fee) !== net)
    doubts.push('Gross minus fee is not the stated net. The fee was calculated as gross minus net.');
  return toRowAmounts(gross, add(gross, -net), net);
}

const completeBankAmount = (
  { gross, fee, net }: { gross: Cents | null; fee: Cents | null; net: Cents | null },
  { feeFactor }: AmountRules,
): Cents => (gross === null ? (net ?? 0) : add(gross, (fee ?? 0) * feeFactor)) || 0;

const toRowAmounts = (amount: Cents, fee: Cents, net: Cents) => ({ amount, fee: fee === 0 ? 0 : fee, net });

function add(a: Cents, b: Cents): Cents {
  const sum = a + b;
  if (!Number.isSafeInteger(sum))
    throw new UnreadableCellError('The amounts are too large to represent exactly.');
  return sum;
}

/** Returns an amount, positive for money received; null if its columns are empty. */
function readSignedAmount(
  cells: RowCells,
  fields: AmountFields,
  read: (text: string) => Cents,
  { conventions, doubts }: { conventions: AmountConventions; doubts: string[] },
): Cents | null {
  const parts = readAmountParts(cells, fields, read, conventions.directions);
  if (parts.length === 0) return null;
  if (parts.filter(({ value }) => value !== 0).length === 2)
    doubts.push('The row has a credit and a debit. The line is their difference.');
  return parts.reduce((sum, part) => add(sum, applySignRule(part, conventions.rules.signs)), 0) || 0;
}

/** Returns the sum of all fee columns; null if empty. A processor's cost is positive, a bank's fee as written. */
export function readFee(
  cells: RowCells,
  read: (text: string) => Cents,
  profile: BankFileProfile,
): Cents | null {
  if (!cells.has('fee')) return null;
  const sum = cells.all('fee').reduce((total, text) => add(total, read(text)), 0);
  return (profile.source === 'processor' && profile.fee_sign === 'negative' ? -sum : sum) || 0;
}

function readCurrency(cells: RowCells, { profile, currency }: AmountConventions): string | null {
  const codes = cells.all('currency').map((text) => {
    const code = parseCurrencySign(text);
    if (code === null) throw new UnreadableCellError(`“${text.slice(0, 20)}” is not a currency.`);
    return code;
  });
  const [code = profile.currency ?? currency, ...others] = codes;
  if (others.some((other) => other !== code) && cells.has('credit') && cells.has('debit'))
    throw new UnreadableCellError('The debit and the credit of the row are in different currencies.');
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
