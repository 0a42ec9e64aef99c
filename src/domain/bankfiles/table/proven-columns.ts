import type { BankProfileField, DecimalMark } from '../model/profile.ts';
import { dateOrders, decimalMarks } from '../model/profile.ts';
import { parseAmount } from '../values/amount-text.ts';
import { parseDateText } from '../values/date-text.ts';
import { isDash, type TableRow } from './table-rows.ts';

/** Columns that can be the amounts of a table, with the column of its running balance. */
interface Hypothesis {
  readonly amount?: number;
  readonly debit?: number;
  readonly credit?: number;
  readonly balance: number;
}

/** Maximum number of columns with amounts that are combined. Chosen by judgment. */
const MAX_CANDIDATES = 8;

/**
 * Returns the columns of the amounts, or of the debits and credits, with which every running balance of the rows follows
 * from the previous one. Returns null if there are none, or if several combinations of columns are possible.
 */
export function proveAmountColumns(
  rows: readonly TableRow[],
  columns: ReadonlyMap<BankProfileField, readonly number[]>,
  candidates: readonly number[],
): [BankProfileField, number][] | null {
  const [date = -1] = columns.get('booked_on') ?? [];
  if (date < 0 || candidates.length < 2 || candidates.length > MAX_CANDIDATES) return null;
  const isDated = ({ cells }: TableRow) =>
    dateOrders.some((order) => parseDateText(cells[date] ?? '', order) !== null);
  const dated = rows.filter(isDated);
  const proven = decimalMarks.flatMap((mark) => {
    const table = dated.map(({ cells }) => candidates.map((column) => readCents(cells[column] ?? '', mark)));
    return listHypotheses(candidates.length).filter((hypothesis) => isProven(table, hypothesis));
  });
  const different = new Map(proven.map((hypothesis) => [JSON.stringify(hypothesis), hypothesis]));
  const [found] = different.values();
  if (found === undefined || different.size > 1) return null;
  return Object.entries(found).map(([field, at]) => [field as BankProfileField, candidates[at] ?? -1]);
}

function listHypotheses(width: number): Hypothesis[] {
  const columns = Array.from({ length: width }, (_, column) => column);
  return columns.flatMap((balance) => {
    const others = columns.filter((column) => column !== balance);
    const pairs = others.flatMap((debit) =>
      others.filter((credit) => credit !== debit).map((credit) => ({ debit, credit, balance })),
    );
    return [...others.map((amount) => ({ amount, balance })), ...pairs];
  });
}

/** Amounts of a row by candidate column; null for an empty cell and NaN for any other text. */
type RowCents = readonly (number | null)[];

const readCents = (text: string, mark: DecimalMark): number | null => {
  if (text.trim() === '' || isDash(text)) return null;
  const parsed = parseAmount(text, mark, null);
  return 'cents' in parsed ? parsed.cents : Number.NaN;
};

function computeEffect(row: RowCents, { amount = -1, debit = -1, credit = -1 }: Hypothesis): number {
  if (amount >= 0) return row[amount] ?? Number.NaN;
  const [out, into] = [row[debit] ?? 0, row[credit] ?? 0];
  return (out === 0) === (into === 0) ? Number.NaN : into - Math.abs(out);
}

/** Returns true if all balances follow from each other, read either downward or upward, and both sides occur. */
function isProven(table: readonly RowCents[], hypothesis: Hypothesis): boolean {
  const steps = table.map((row) => ({
    effect: computeEffect(row, hypothesis),
    balance: row[hypothesis.balance] ?? Number.NaN,
  }));
  // A single balance may agree with one amount by chance.
  if (steps.length < (hypothesis.amount === undefined ? 2 : 3)) return false;
  const { debit, credit } = hypothesis;
  const isUsed = (side: number | undefined) =>
    side === undefined || table.some((row) => (row[side] ?? 0) !== 0);
  if (!isUsed(debit) || !isUsed(credit)) return false;
  const follows = (before: (typeof steps)[number], after: (typeof steps)[number]) =>
    after.effect !== 0 && before.balance + after.effect === after.balance;
  const isPair = (check: (at: number) => boolean) => steps.slice(1).every((_, at) => check(at));
  const at = (index: number) => steps[index] ?? { effect: Number.NaN, balance: Number.NaN };
  return isPair((n) => follows(at(n), at(n + 1))) || isPair((n) => follows(at(n + 1), at(n)));
}
