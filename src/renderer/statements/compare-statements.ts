import type { StatementDetail, TransactionRow } from '../../contract/index.ts';
import { toStatementFigures } from './statement-figures.ts';

/** Pair of matching transactions from two statements. One side is null if its statement has no matching transaction. */
export interface TransactionPair {
  readonly left: TransactionRow | null;
  readonly right: TransactionRow | null;
}

/** The same figure from two statements, in cents. */
export interface StatementFigurePair {
  readonly id: 'opening' | 'charges' | 'payments' | 'other' | 'closing';
  readonly left: number;
  readonly right: number;
}

export function pairStatementFigures(left: StatementDetail, right: StatementDetail): StatementFigurePair[] {
  const [leftFigures, rightFigures] = [toStatementFigures(left), toStatementFigures(right)];
  const ids = ['opening', 'charges', 'payments', 'other', 'closing'] as const;
  return ids.map((id) => ({ id, left: leftFigures[id], right: rightFigures[id] }));
}

/**
 * Pairs the transactions of two statements by memo and amount, then by memo, then by kind and amount.
 * Ignores dates and numbers in memos. Keeps the left order. Unpaired transactions of the right statement come last.
 */
export function pairTransactions(
  left: readonly TransactionRow[],
  right: readonly TransactionRow[],
): readonly TransactionPair[] {
  const unpaired = new Set(right);
  const pairs = new Map<TransactionRow, TransactionRow>();
  const keyFunctions: readonly ((line: TransactionRow) => string)[] = [
    (line) => `${memoKey(line)} ${line.amount_in_cents}`,
    memoKey,
    (line) => `${kindKey(line)} ${line.amount_in_cents}`,
  ];
  for (const keyOf of keyFunctions) {
    for (const line of left) {
      if (pairs.has(line)) continue;
      const key = keyOf(line);
      const other = [...unpaired].find((candidate) => keyOf(candidate) === key);
      if (other === undefined) continue;
      pairs.set(line, other);
      unpaired.delete(other);
    }
  }
  return [
    ...left.map((line) => ({ left: line, right: pairs.get(line) ?? null })),
    ...[...unpaired].map((line) => ({ left: null, right: line })),
  ];
}

/** Returns the difference between two amounts in cents. A missing transaction counts as zero. */
export function getAmountDifference({ left, right }: TransactionPair): number {
  return (left?.amount_in_cents ?? 0) - (right?.amount_in_cents ?? 0);
}

function kindKey({ transaction_type, kind, success }: TransactionRow): string {
  return JSON.stringify([transaction_type, kind, success !== false]);
}

function memoKey(line: TransactionRow): string {
  const memo = (line.memo ?? '').toLowerCase().replace(/\d+(?:[.,:/-]\d+)*/g, '#');
  return `${kindKey(line)} ${memo}`;
}
