import type { StatementRow } from '../../contract/index.ts';

/** The figures of a statement as an equation. */
export interface StatementFigures {
  readonly opening: number;
  readonly charges: number;
  readonly payments: number;
  /** What closes the equation: credits, adjustments, and whatever else the service counted. */
  readonly other: number;
  readonly closing: number;
}

/** opening + charges − payments + other = closing, in cents. */
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
