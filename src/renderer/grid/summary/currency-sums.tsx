import { Money } from '../../controls/values.tsx';
import type { GridController, ListPage } from '../state/grid-controller.ts';
import { type CurrencySum, type SummedFigure, sumByCurrency } from './sums.ts';
import { useSelectedRows } from './use-selected-rows.ts';

interface CurrencySumsProps {
  readonly label?: string | undefined;
  readonly sums: readonly CurrencySum[];
}

/** Shows one sum per currency. */
export function CurrencySums({ label, sums }: CurrencySumsProps) {
  return sums.map(({ currency, amount_in_cents }, index) => (
    <span key={currency}>
      {index === 0 && label} <Money cents={amount_in_cents} currency={currency} />
    </span>
  ));
}

interface SelectedRowSumsProps<Row, P extends ListPage<Row>> {
  readonly grid: GridController<Row, P>;
  readonly figures: readonly SummedFigure<Row>[];
}

/** Shows the sums of the selected rows. */
export function SelectedRowSums<Row, P extends ListPage<Row>>(props: SelectedRowSumsProps<Row, P>) {
  const rows = useSelectedRows(props.grid);
  return props.figures.map((figure) => (
    <CurrencySums key={figure.label ?? ''} label={figure.label} sums={sumByCurrency(rows, figure)} />
  ));
}
