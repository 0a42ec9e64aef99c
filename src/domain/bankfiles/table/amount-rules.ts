import type { Cents } from '../../ledger/index.ts';
import type { SignRule } from '../model/profile.ts';
import type { Direction } from './direction-words.ts';
import { type RowCells, UnreadableCellError } from './row-cells.ts';

/**
 * Rules that turn the amounts as written into the effect on the account. `feeFactor` is the factor of the fee as written:
 * 0 if the amount includes the fee, -1 if a cost is written without a sign, and 1 if a cost is written as negative.
 */
export interface AmountRules {
  readonly signs: SignRule;
  readonly feeFactor: -1 | 0 | 1;
}

/** An amount as written, with the direction by its column: 1 for money in, -1 for money out, 0 if the file states none. */
export interface AmountPart {
  readonly value: Cents;
  readonly direction: -1 | 0 | 1;
}

/** Returns the effect of an amount on the account. */
export function applySignRule({ value, direction }: AmountPart, rule: SignRule): Cents {
  if (rule === 'inverted') return 0 - (direction === 0 ? value : direction * Math.abs(value));
  if (direction === 0 || rule === 'signed') return value;
  return direction * (rule === 'unsigned' ? Math.abs(value) : value) || 0;
}

/** Fields of an amount: either one column (with signs or a direction column), or one column per direction. */
export interface AmountFields {
  readonly single: 'amount' | 'net';
  readonly incoming: 'credit' | 'net_credit';
  readonly outgoing: 'debit' | 'net_debit';
}

export const GROSS_FIELDS: AmountFields = { single: 'amount', incoming: 'credit', outgoing: 'debit' };
export const NET_FIELDS: AmountFields = { single: 'net', incoming: 'net_credit', outgoing: 'net_debit' };

/**
 * Returns the amounts of a row as written: none, one, or both a credit and a debit. Throws UnreadableCellError if the
 * amount and the debit or credit of the row differ, or if the direction is unknown.
 */
export function readAmountParts(
  cells: RowCells,
  fields: AmountFields,
  read: (text: string) => Cents,
  directions: ReadonlyMap<string, Direction>,
): AmountPart[] {
  const sides = [
    { text: cells.first(fields.incoming), direction: 1 as const },
    { text: cells.first(fields.outgoing), direction: -1 as const },
  ]
    .filter(({ text }) => text !== '')
    .map(({ text, direction }) => ({ value: read(text), direction }));
  const text = cells.first(fields.single);
  if (text === '') return sides;
  const value = read(text);
  const [side, other] = sides.filter((each) => each.value !== 0);
  if (side === undefined)
    return [{ value, direction: fields.single === 'amount' ? readDirection(cells, directions) : 0 }];
  if (other !== undefined || Math.abs(side.value) !== Math.abs(value))
    throw new UnreadableCellError(
      `The amount “${text.slice(0, 40)}” differs from the debit or credit of the row.`,
    );
  return [{ value, direction: side.direction }];
}

function readDirection(cells: RowCells, directions: ReadonlyMap<string, Direction>): -1 | 0 | 1 {
  const text = cells.first('direction').toLowerCase();
  if (text === '') return 0;
  const direction = directions.get(text);
  if (direction === undefined)
    throw new UnreadableCellError(`“${text.slice(0, 60)}” is not a known direction (incoming or outgoing).`);
  return direction === 'in' ? 1 : -1;
}
