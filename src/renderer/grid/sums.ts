/** A figure of a list's rows that can be added up. */
export interface Figure<Row> {
  /** Said before the sum; a list of one figure needs none. */
  readonly label?: string;
  cents(row: Row): number;
  /** ISO code. */
  currency(row: Row): string;
}

/** What rows come to in one currency. */
export interface Sum {
  readonly currency: string;
  readonly amount_in_cents: number;
}

/** What rows come to, in each currency that they are of. */
export function sumsOf<Row>(
  rows: readonly Row[],
  { cents, currency }: Omit<Figure<Row>, 'label'>,
): readonly Sum[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(currency(row), (sums.get(currency(row)) ?? 0) + cents(row));
  return [...sums]
    .map(([code, amount_in_cents]) => ({ currency: code, amount_in_cents }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
