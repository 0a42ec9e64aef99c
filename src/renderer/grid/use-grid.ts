import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { useBackend } from '../backend/hooks.ts';
import { type Name, touches } from '../backend/procedures.ts';
import { createGrid, type Grid, type GridPlace, type Page, type Source } from './controller.ts';
import type { Id } from './selection.ts';

/** The grid that the commands of a screen act on, while the screen is open. */
export const useGrids = create<Readonly<Record<string, Grid<never>>>>(() => ({}));

/** The grid of this name, where it has the focus; null where it has not. */
export function gridInFocus(name: string): Grid<never> | null {
  const grid = useGrids.getState()[name];
  return grid !== undefined && document.activeElement?.getAttribute('data-grid') === name ? grid : null;
}

/** Where the user stood in each list when he left its screen. */
const places = new Map<string, GridPlace>();

interface UseGrid<Row, P extends Page<Row>> {
  /** Names the grid for commands and settings. */
  readonly name: string;
  readonly source: Source<Row, P>;
  readonly idOf: (row: Row) => Id;
  /** The query that lists it and what it is asked, so that changes are followed. */
  readonly list: Name;
  readonly asked: { readonly site: string };
  /** What was picked stays picked in another list. */
  readonly gathers?: boolean | undefined;
}

/** While changes stream in, rows in view are read again at most this often. */
const BREATH_MS = 700;

/** The grid of a screen: shows the source, and reads again what is in view when the backend says it changed. */
export function useGrid<Row, P extends Page<Row>>(of: UseGrid<Row, P>): Grid<Row, P> {
  const { changes } = useBackend();
  const { name, source, idOf, list, asked, gathers } = of;
  const question = JSON.stringify(asked);
  const [grid] = useState(() => createGrid<Row, P>(idOf, { gathers }));

  useEffect(() => {
    useGrids.setState({ [name]: grid as unknown as Grid<never> });
    return () => useGrids.setState(({ [name]: _, ...others }) => others, true);
  }, [name, grid]);

  useEffect(() => grid.show(source, places.get(name) ?? null), [grid, name, source]);
  useEffect(
    () => () => {
      const place = grid.place();
      if (place) places.set(name, place);
    },
    [grid, name],
  );

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let last = 0;
    const input: unknown = JSON.parse(question);
    const soon = () => {
      if (timer) return;
      timer = setTimeout(
        () => {
          timer = null;
          last = Date.now();
          grid.refresh();
        },
        Math.max(0, last + BREATH_MS - Date.now()),
      );
    };
    const stop = changes.listen((change) => {
      if (change === 'everything' || touches(change, list, input)) soon();
    });
    return () => {
      stop();
      if (timer) clearTimeout(timer);
    };
  }, [changes, grid, list, question]);

  return grid;
}
