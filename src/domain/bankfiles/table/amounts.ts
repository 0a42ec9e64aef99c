import type { Cents } from '../../ledger/index.ts';
import { readAmount, readMinorUnits } from '../amount.ts';
import { currencyCode } from '../currency.ts';
import type { ForeignAmount } from '../file.ts';
import type { LineKind } from '../line-kind.ts';
import type { DecimalMark, Field, Profile } from '../profile.ts';
import { incomingWords, outgoingWords } from './synonyms.ts';

/** The cells of a row, by what they hold. */
export interface Cells {
  /** The first of the field’s columns that is not empty; an empty text for none. */
  first(field: Field): string;
  all(field: Field): readonly string[];
  has(field: Field): boolean;
}

/** What holds for all rows of a table. */
export interface Manner {
  readonly profile: Profile;
  readonly mark: DecimalMark;
  /** Of all lines, as profile, header or the text above it say. */
  readonly currency: string | null;
  /** Of lines for which nothing says, not even the amount itself. */
  readonly otherwise: string | null;
  /** Whether the debit columns hold amounts above zero: then a negative one is money that came back. */
  readonly debitsPositive: boolean;
}

/** The money of a row. */
export interface Money {
  readonly amount: Cents;
  readonly fee: Cents | null;
  readonly net: Cents | null;
  readonly currency: string | null;
  readonly foreign: ForeignAmount | null;
  /** Read, but odd. */
  readonly doubts: readonly string[];
}

/** A cell that cannot be read. */
export class Unreadable extends Error {}

/**
 * Amount, fee and net of a row. Null where it has no amount at all. Unreadable for a cell that is no amount; nothing is guessed.
 */
export function moneyOf(cells: Cells, kind: LineKind, manner: Manner): Money | null {
  const { profile } = manner;
  const doubts: string[] = [];
  const stated = currencyOf(cells, manner);
  let named: string | null = null;
  const read = (text: string, unit: string | null): Cents => {
    const amount = amountOf(text, unit ?? manner.otherwise, manner);
    named ??= amount.currency;
    if (unit !== null && amount.currency !== null && amount.currency !== unit) {
      doubts.push(`The amount is written in ${amount.currency}, but the line is in ${unit}.`);
    }
    return amount.cents;
  };

  const grossUnit = currencyCode(cells.first('gross_currency')) ?? stated;
  let gross = sided(cells, ['amount', 'credit', 'debit'], (text) => read(text, grossUnit), manner, doubts);
  const net = sided(cells, ['net', 'net_credit', 'net_debit'], (text) => read(text, stated), manner, doubts);
  const fee = feeOf(cells, (text) => read(text, stated), profile);
  if (gross !== null && profile.outgoing?.includes(kind)) gross = 0 - Math.abs(gross);
  if (gross !== null && profile.turned) gross = 0 - gross;
  if (gross === null && net === null) return null;

  const currency = stated ?? named ?? manner.otherwise;
  const outside = gross !== null && grossUnit !== stated && net !== null;
  const foreign: ForeignAmount | null = outside
    ? { amount_in_cents: gross ?? 0, currency: grossUnit ?? '', rate: cells.first('rate') || null }
    : foreignOf(cells, currency, gross ?? net ?? 0, (text, unit) => read(text, unit));
  if (outside) gross = null;
  return { ...bridged(gross, fee, net, profile, doubts), currency, foreign, doubts };
}

/** Gross less fee is net: whichever is missing follows from the others; where all are there and disagree it is told. */
function bridged(
  gross: Cents | null,
  fee: Cents | null,
  net: Cents | null,
  profile: Profile,
  doubts: string[],
): { amount: Cents; fee: Cents | null; net: Cents | null } {
  if (profile.source === 'bank') {
    // A bank’s fee column tells of a charge; the amount is what moved.
    return { amount: gross ?? net ?? 0, fee: null, net: null };
  }
  if (gross === null) return exactly(add(net ?? 0, fee ?? 0), fee ?? 0, net ?? 0);
  if (net === null) return exactly(gross, fee ?? 0, add(gross, -(fee ?? 0)));
  if (fee !== null && add(gross, -fee) !== net) {
    doubts.push('Gross less fee is not the net it states; the fee is taken as gross less net.');
  }
  return exactly(gross, add(gross, -net), net);
}

const exactly = (amount: Cents, fee: Cents, net: Cents) => ({ amount, fee: fee === 0 ? 0 : fee, net });

function add(a: Cents, b: Cents): Cents {
  const sum = a + b;
  if (!Number.isSafeInteger(sum)) throw new Unreadable('The amounts are too large to be held exactly.');
  return sum;
}

/** A signed amount, from one column with or without a direction beside it, or from one column for each direction. */
function sided(
  cells: Cells,
  [whole, inward, outward]: readonly [Field, Field, Field],
  read: (text: string) => Cents,
  { profile, debitsPositive }: Manner,
  doubts: string[],
): Cents | null {
  const text = cells.first(whole);
  if (text !== '') {
    const amount = read(text);
    const direction = whole === 'amount' ? cells.first('direction').toLowerCase() : '';
    if (direction === '') return amount;
    if (profile.outgoing_directions?.includes(direction) ?? outgoingWords.has(direction))
      return 0 - Math.abs(amount);
    if (profile.outgoing_directions !== undefined || incomingWords.has(direction)) return Math.abs(amount);
    throw new Unreadable(`“${direction}” says neither that money came in nor that it went out.`);
  }
  const [credit, debit] = [cells.first(inward), cells.first(outward)];
  if (credit === '' && debit === '') return null;
  const received = credit === '' ? 0 : read(credit);
  const paid = debit === '' ? 0 : read(debit);
  if (received !== 0 && paid !== 0)
    doubts.push('It has an amount on both sides; they were set off against each other.');
  return add(received, debitsPositive ? -paid : paid) || 0;
}

/** All fee columns together; a cost is positive. Null where there is none. */
function feeOf(cells: Cells, read: (text: string) => Cents, profile: Profile): Cents | null {
  if (!cells.has('fee')) return null;
  const sum = cells.all('fee').reduce((total, text) => add(total, read(text)), 0);
  return (profile.fee_sign === 'negative' ? -sum : sum) || 0;
}

function currencyOf(cells: Cells, { profile, currency }: Manner): string | null {
  const text = cells.first('currency');
  if (text === '') return profile.currency ?? currency;
  const code = currencyCode(text);
  if (code === null) throw new Unreadable(`“${text.slice(0, 20)}” is no currency.`);
  return code;
}

function foreignOf(
  cells: Cells,
  currency: string | null,
  amount: Cents,
  read: (text: string, unit: string) => Cents,
): ForeignAmount | null {
  const unit = currencyCode(cells.first('foreign_currency'));
  const text = cells.first('foreign_amount');
  if (unit === null || unit === currency || text === '') return null;
  const size = Math.abs(read(text, unit));
  return {
    amount_in_cents: amount < 0 ? 0 - size : size,
    currency: unit,
    rate: cells.first('rate') || null,
  };
}

/** One amount of the table, in the manner of the table, with the currency it names itself. Unreadable for what is none. */
export function amountOf(
  text: string,
  currency: string | null,
  { profile, mark }: Pick<Manner, 'profile' | 'mark'>,
): { readonly cents: Cents; readonly currency: string | null } {
  const reading = profile.unit === 'minor' ? readMinorUnits(text) : readAmount(text, mark, currency);
  if ('reason' in reading)
    throw new Unreadable(`The amount “${text.trim().slice(0, 60)}” ${reading.reason}.`);
  return reading;
}
