import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { Button } from '../controls/Button.tsx';
import { words } from '../words/words.ts';
import type { Grid, Page } from './controller.ts';

interface StatusBarProps<Row, P extends Page<Row>> {
  readonly grid: Grid<Row, P>;
  /** What a row is, for counting: `webhook`. */
  readonly one: string;
  readonly many?: string;
  /** Sums and the like. */
  readonly children?: ReactNode;
}

/** Below a grid: how many match, how many are selected, and what they add up to. */
export function StatusBar<Row, P extends Page<Row>>({ grid, one, many, children }: StatusBarProps<Row, P>) {
  const state = useStore(grid.state);
  const { selection, total, exact, phase } = state;
  const count = grid.count();
  return (
    <div className="statusbar" role="status">
      {phase === 'ready' && <span>{words.grid.of({ count: total, exact }, one, many)}</span>}
      {children}
      {selection.kind !== 'following' && (
        <span className="push statusbar-picked">
          <b>
            {selection.kind === 'all' && count === total
              ? words.grid.allMatch(count)
              : words.grid.selected(count)}
          </b>
          <Button kind="quiet" size="small" onPress={grid.clearSelection}>
            {words.grid.clearSelection}
          </Button>
        </span>
      )}
    </div>
  );
}
