import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../controls/button.tsx';
import { texts } from '../../texts/texts.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';
import { SelectedRowSums } from './currency-sums.tsx';
import type { SummedFigure } from './sums.ts';
import { MAX_SUMMED_ROWS } from './use-selected-rows.ts';

interface StatusBarProps<Row, P extends ListPage<Row>> {
  readonly grid: GridController<Row, P>;
  /** Singular noun for a row, for example `webhook`. */
  readonly singular: string;
  readonly plural?: string;
  /** Amounts to add up over the selected rows. */
  readonly figures?: readonly SummedFigure<Row>[];
  readonly children?: ReactNode;
}

/** Status bar below a grid with the number of rows, the number of selected rows, and their sums. */
export function StatusBar<Row, P extends ListPage<Row>>(props: StatusBarProps<Row, P>) {
  const { grid, singular, plural, figures, children } = props;
  const { selection, total, isExactTotal, phase } = useStore(grid.state);
  const count = grid.selectedCount();
  const isAll = selection.kind === 'all' && count === total;
  // Shows no sums if all rows are selected, because the list's totals already cover them, or if the selection is too
  // large to be read in full.
  const showsSums = !isAll && count <= MAX_SUMMED_ROWS;
  return (
    <div className="statusbar" role="status">
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
  );
}
