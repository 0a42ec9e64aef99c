/** Amount of a row that can be added up over several rows. */
export interface SummableAmount<Row> {
  /** Label shown before the sum. Omitted if the list has only one amount to add up. */
  readonly label?: string;
  cents(row: Row): number;
  /** Returns the ISO currency code of the row. */
  currency(row: Row): string;
}

export interface CurrencySum {
  readonly currency: string;
  readonly amount_in_cents: number;
}

/** Adds up the rows per currency. The sums are ordered by currency code. */
export function sumByCurrency<Row>(
  rows: readonly Row[],
  { cents, currency }: Omit<SummableAmount<Row>, 'label'>,
): readonly CurrencySum[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(currency(row), (sums.get(currency(row)) ?? 0) + cents(row));
  return [...sums]
    .map(([code, amount_in_cents]) => ({ currency: code, amount_in_cents }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
