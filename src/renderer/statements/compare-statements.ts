import type { StatementDetail, TransactionRow } from '../../contract/index.ts';
import { toStatementFigures } from './statement-figures.ts';

/** A line of one statement beside its like of the other; null where the other has none. */
export interface LinePair {
  readonly here: TransactionRow | null;
  readonly there: TransactionRow | null;
}

/** A figure of one statement beside that of the other, in cents. */
export interface FigurePair {
  readonly id: 'opening' | 'charges' | 'payments' | 'other' | 'closing';
  readonly here: number;
  readonly there: number;
}

/** The figures of two statements beside each other. */
export function pairFigures(here: StatementDetail, there: StatementDetail): FigurePair[] {
  const [left, right] = [toStatementFigures(here), toStatementFigures(there)];
  const ids = ['opening', 'charges', 'payments', 'other', 'closing'] as const;
  return ids.map((id) => ({ id, here: left[id], there: right[id] }));
}

/**
 * The lines of two statements beside each other: those that say the same, dates and numbers aside, first of them those of the same
 * amount; then those of the same kind and amount. In the order of the first statement; what only the other has follows.
 */
export function pairLines(
  here: readonly TransactionRow[],
  there: readonly TransactionRow[],
): readonly LinePair[] {
  const left = new Set(there);
  const found = new Map<TransactionRow, TransactionRow>();
  const likes: readonly ((line: TransactionRow) => string)[] = [
    (line) => `${memoKey(line)} ${line.amount_in_cents}`,
    memoKey,
    (line) => `${kindKey(line)} ${line.amount_in_cents}`,
  ];
  for (const like of likes) {
    for (const line of here) {
      if (found.has(line)) continue;
      const its = like(line);
      const other = [...left].find((candidate) => like(candidate) === its);
      if (other === undefined) continue;
      found.set(line, other);
      left.delete(other);
    }
  }
  return [
    ...here.map((line) => ({ here: line, there: found.get(line) ?? null })),
    ...[...left].map((line) => ({ here: null, there: line })),
  ];
}

/** The difference between two amounts; what is not there counts for nothing. */
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
