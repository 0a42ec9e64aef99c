import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../controls/button.tsx';
import { Money } from '../../controls/formatted-values.tsx';
import { texts } from '../../texts/texts.ts';
import { GridExportMenu } from '../export/list-export-menu.tsx';
import type { GridController, ListPage } from '../state/grid-controller.ts';
import { type CurrencySum, type SummableAmount, sumByCurrency } from './currency-sums.ts';
import { MAX_SUMMED_ROWS, useSelectedRows } from './use-selected-rows.ts';

interface StatusBarProps<Row, P extends ListPage<Row>> {
  readonly grid: GridController<Row, P>;
  /** Singular noun for a row, for example `webhook`. */
  readonly singular: string;
  readonly plural?: string;
  readonly figures?: readonly SummableAmount<Row>[];
  readonly children?: ReactNode;
}

/** Status bar below a grid with the number of rows, the number of selected rows, and their sums. */
export function StatusBar<Row, P extends ListPage<Row>>(props: StatusBarProps<Row, P>) {
  const { grid, singular, plural, figures, children } = props;
  const { selection, total, isExactTotal, phase } = useStore(grid.state);
  const count = grid.selectedCount();
  const isAll = selection.kind === 'all' && count === total;
  // Omits the sums if all rows are selected (the list shows totals) or if too many rows would have to be read.
  const showsSums = !isAll && count <= MAX_SUMMED_ROWS;
  return (
    <div className="statusbar" role="status">
      <div className="statusbar-facts">
        {phase === 'ready' && (
          <span>{texts.grid.of({ count: total, exact: isExactTotal }, singular, plural)}</span>
        )}
        {children}
        {selection.kind !== 'following' && (
          <span className="push statusbar-selection">
            <b>{isAll ? texts.grid.allMatch(count) : texts.grid.selected(count)}</b>
            {figures && showsSums && <SelectedRowSums grid={grid} figures={figures} />}
            <Button kind="quiet" size="small" onPress={grid.clearSelection}>
              {texts.grid.clearSelection}
            </Button>
          </span>
        )}
      </div>
      <GridExportMenu grid={grid} />
    </div>
  );
}

interface CurrencySumsProps {
  readonly label?: string | undefined;
  readonly sums: readonly CurrencySum[];
}

export function CurrencySums({ label, sums }: CurrencySumsProps) {
  return sums.map(({ currency, amount_in_cents }, index) => (
    <span key={currency}>
      {index === 0 && label} <Money cents={amount_in_cents} currency={currency} />
    </span>
  ));
}

interface SelectedRowSumsProps<Row, P extends ListPage<Row>> {
  readonly grid: GridController<Row, P>;
  readonly figures: readonly SummableAmount<Row>[];
}

export function SelectedRowSums<Row, P extends ListPage<Row>>(props: SelectedRowSumsProps<Row, P>) {
  const rows = useSelectedRows(props.grid);
  return props.figures.map((figure) => (
    <CurrencySums key={figure.label ?? ''} label={figure.label} sums={sumByCurrency(rows, figure)} />
  ));
}
