import type { StatementDetail, TransactionRow } from '../../contract/index.ts';
import { toStatementFigures } from './statement-figures.ts';

/** Matching lines of two statements. Null if a statement has no matching line. */
export interface LinePair {
  readonly here: TransactionRow | null;
  readonly there: TransactionRow | null;
}

/** Same figure of two statements, in cents. */
export interface FigurePair {
  readonly id: 'opening' | 'charges' | 'payments' | 'other' | 'closing';
  readonly here: number;
  readonly there: number;
}

export function pairFigures(here: StatementDetail, there: StatementDetail): FigurePair[] {
  const [left, right] = [toStatementFigures(here), toStatementFigures(there)];
  const ids = ['opening', 'charges', 'payments', 'other', 'closing'] as const;
  return ids.map((id) => ({ id, here: left[id], there: right[id] }));
}

/**
 * Pairs the lines of two statements: first by memo without dates and numbers and amount, then by memo, then by kind and
 * amount.
 * The first statement's order applies. Unpaired lines of the other statement follow.
 */
export function pairLines(
  here: readonly TransactionRow[],
  there: readonly TransactionRow[],
): readonly LinePair[] {
  const unpaired = new Set(there);
  const pairs = new Map<TransactionRow, TransactionRow>();
  const keyFunctions: readonly ((line: TransactionRow) => string)[] = [
    (line) => `${memoKey(line)} ${line.amount_in_cents}`,
    memoKey,
    (line) => `${kindKey(line)} ${line.amount_in_cents}`,
  ];
  for (const keyOf of keyFunctions) {
    for (const line of here) {
      if (pairs.has(line)) continue;
      const key = keyOf(line);
      const other = [...unpaired].find((candidate) => keyOf(candidate) === key);
      if (other === undefined) continue;
      pairs.set(line, other);
      unpaired.delete(other);
    }
  }
  return [
    ...here.map((line) => ({ here: line, there: pairs.get(line) ?? null })),
    ...[...unpaired].map((line) => ({ here: null, there: line })),
  ];
}

/** Returns the difference of two amounts in cents. A missing line counts as zero. */
export function subtractAmounts({ here, there }: LinePair): number {
  return (here?.amount_in_cents ?? 0) - (there?.amount_in_cents ?? 0);
}

function kindKey({ transaction_type, kind, success }: TransactionRow): string {
  return JSON.stringify([transaction_type, kind, success !== false]);
}

function memoKey(line: TransactionRow): string {
  const memo = (line.memo ?? '').toLowerCase().replace(/\d+(?:[.,:/-]\d+)*/g, '#');
  return `${kindKey(line)} ${memo}`;
}
