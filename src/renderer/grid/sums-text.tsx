import { Money } from '../controls/values.tsx';
import type { Grid, Page } from './controller.ts';
import { type Figure, type Sum, sumsOf } from './sums.ts';
import { usePicked } from './use-picked.ts';

/** Sums, each in its currency. */
export function SumsText({
  label,
  sums,
}: {
  readonly label?: string | undefined;
  readonly sums: readonly Sum[];
}) {
  return sums.map(({ currency, amount_in_cents }, at) => (
    <span key={currency}>
      {at === 0 && label} <Money cents={amount_in_cents} currency={currency} />
    </span>
  ));
}

interface PickedSumsProps<Row, P extends Page<Row>> {
  readonly grid: Grid<Row, P>;
  readonly figures: readonly Figure<Row>[];
}

/** What the rows that are ticked come to. */
export function PickedSums<Row, P extends Page<Row>>({ grid, figures }: PickedSumsProps<Row, P>) {
  const rows = usePicked(grid);
  return figures.map((figure) => (
    <SumsText key={figure.label ?? ''} label={figure.label} sums={sumsOf(rows, figure)} />
  ));
}
