import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { Button } from '../controls/button.tsx';
import { words } from '../words/words.ts';
import type { Grid, Page } from './controller.ts';
import type { Figure } from './sums.ts';
import { PickedSums } from './sums-text.tsx';
import { MOST_PICKED } from './use-picked.ts';

interface StatusBarProps<Row, P extends Page<Row>> {
  readonly grid: Grid<Row, P>;
  /** What a row is, for counting: `webhook`. */
  readonly one: string;
  readonly many?: string;
  /** What is added up of the rows that are ticked. */
  readonly figures?: readonly Figure<Row>[];
  /** Sums and the like. */
  readonly children?: ReactNode;
}

/** Below a grid: how many match, how many are selected, and what they add up to. */
export function StatusBar<Row, P extends Page<Row>>(of: StatusBarProps<Row, P>) {
  const { grid, one, many, figures, children } = of;
  const state = useStore(grid.state);
  const { selection, total, exact, phase } = state;
  const count = grid.count();
  const all = selection.kind === 'all' && count === total;
  // What all come to is said already, and of very many not all are read.
  const addsUp = !all && count <= MOST_PICKED;
  return (
    <div className="statusbar" role="status">
      {phase === 'ready' && <span>{words.grid.of({ count: total, exact }, one, many)}</span>}
      {children}
      {selection.kind !== 'following' && (
        <span className="push statusbar-picked">
          <b>{all ? words.grid.allMatch(count) : words.grid.selected(count)}</b>
          {figures && addsUp && <PickedSums grid={grid} figures={figures} />}
          <Button kind="quiet" size="small" onPress={grid.clearSelection}>
            {words.grid.clearSelection}
          </Button>
        </span>
      )}
    </div>
  );
}
