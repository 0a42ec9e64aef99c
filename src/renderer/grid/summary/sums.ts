/** Amount of a row that can be added up over several rows. */
export interface SummedFigure<Row> {
  /** Shown before the sum; not needed if the list has only one figure. */
  readonly label?: string;
  cents(row: Row): number;
  /** Returns the ISO code of the row's currency. */
  currency(row: Row): string;
}

/** Sum in one currency. */
export interface CurrencySum {
  readonly currency: string;
  readonly amount_in_cents: number;
}

/** Adds up rows per currency, ordered by currency code. */
export function sumByCurrency<Row>(
  rows: readonly Row[],
  { cents, currency }: Omit<SummedFigure<Row>, 'label'>,
): readonly CurrencySum[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(currency(row), (sums.get(currency(row)) ?? 0) + cents(row));
  return [...sums]
    .map(([code, amount_in_cents]) => ({ currency: code, amount_in_cents }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
