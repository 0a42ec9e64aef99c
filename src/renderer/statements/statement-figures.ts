import type { StatementRow } from '../../contract/index.ts';

/** Figures of a statement that form an equation, in cents. */
interface StatementFigures {
  readonly opening: number;
  readonly charges: number;
  readonly payments: number;
  /** Total of credits, adjustments, and any other amounts that complete the equation. */
  readonly other: number;
  readonly closing: number;
}

/** Returns figures for which opening + charges − payments + other = closing. */
export function toStatementFigures(
  row: Pick<
    StatementRow,
    'starting_balance_in_cents' | 'charges_in_cents' | 'payments_in_cents' | 'ending_balance_in_cents'
  >,
): StatementFigures {
  const opening = row.starting_balance_in_cents;
  const charges = row.charges_in_cents;
  const payments = row.payments_in_cents;
  const closing = row.ending_balance_in_cents;
  return { opening, charges, payments, closing, other: closing - opening - charges + payments };
}
