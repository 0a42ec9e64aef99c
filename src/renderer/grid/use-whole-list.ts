import { useEffect, useMemo, useRef } from 'react';
import { useClient } from '../backend/hooks.ts';
import { call, type InputOf, type Name, type OutputOf } from '../backend/procedures.ts';
import type { Grid, Page, Source } from './controller.ts';
import type { Id } from './selection.ts';
import { useGrid } from './use-grid.ts';

/** The whole of a list, and the answer it came in. */
export interface Whole<Row, Answer> extends Page<Row> {
  readonly answer: Answer;
}

interface UseWholeList<P extends Name, Row> {
  /** Names the grid for commands and settings. */
  readonly name: string;
  /** The procedure that gives the whole of it at once. */
  readonly list: P;
  /** What is shown of it: the procedure's input. */
  readonly selection: InputOf<P> & { readonly site: string };
  /** Of a list that is cut: how many are asked for. It may grow, and the user stays where he is. */
  readonly most?: number;
  /** The rows of its answer, in their order. Declared outside of the component: another function is another list. */
  readonly rowsOf: (answer: OutputOf<P>) => readonly Row[];
  /** Whether the answer has all there is; without it, it has. */
  readonly isAll?: (answer: OutputOf<P>) => boolean;
  readonly idOf: (row: Row) => Id;
}

/** The grid of a short list, which the backend gives whole. */
export function useWholeList<P extends Name, Row>(
  of: UseWholeList<P, Row>,
): Grid<Row, Whole<Row, OutputOf<P>>> {
  const client = useClient();
  const { name, list, selection, most, rowsOf, isAll, idOf } = of;
  const key = JSON.stringify(selection);
  const source = useMemo(
    (): Source<Row, Whole<Row, OutputOf<P>>> => ({
      key,
      page: async (_after, _limit, signal) => {
        const input = { ...(JSON.parse(key) as InputOf<P>), ...(most !== undefined && { limit: most }) };
        const answer = await call(client, list, input, { signal });
        const rows = rowsOf(answer);
        return { rows, next: null, total: { count: rows.length, exact: isAll?.(answer) ?? true }, answer };
      },
    }),
    [client, key, list, most, rowsOf, isAll],
  );
  const grid = useGrid({ name, source, idOf, list, asked: selection });
  const asked = useRef(most);
  useEffect(() => {
    if (asked.current === most) return;
    asked.current = most;
    grid.refresh();
  }, [grid, most]);
  return grid;
}
