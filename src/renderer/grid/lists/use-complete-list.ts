import { useEffect, useMemo, useRef } from 'react';
import { useContractClient } from '../../backend-client/backend-hooks.ts';
import {
  callProcedure,
  type ProcedureInput,
  type ProcedureName,
  type ProcedureOutput,
} from '../../backend-client/procedures.ts';
import type { GridController, ListPage, ListSource } from '../state/grid-controller.ts';
import type { RowId } from '../state/row-selection.ts';
import { useGrid } from './use-grid.ts';

/** All rows of a list, together with the backend answer that contained them. */
export interface CompleteList<Row, Answer> extends ListPage<Row> {
  readonly answer: Answer;
}

interface CompleteListOptions<P extends ProcedureName, Row> {
  readonly name: string;
  readonly procedure: P;
  readonly query: ProcedureInput<P> & { readonly site: string };
  /** Maximum number of rows to request, if the procedure has a limit. Raising the limit keeps the scroll position. */
  readonly limit?: number;
  /** Returns the rows of an answer. Must be declared outside the component, because a new function opens a new list. */
  readonly rowsOf: (answer: ProcedureOutput<P>) => readonly Row[];
  /** Returns true if the answer contains all rows. If omitted, every answer counts as complete. */
  readonly isComplete?: (answer: ProcedureOutput<P>) => boolean;
  readonly idOf: (row: Row) => RowId;
}

/** Returns the grid for a short list that the backend returns all at once. */
export function useCompleteList<P extends ProcedureName, Row>(
  options: CompleteListOptions<P, Row>,
): GridController<Row, CompleteList<Row, ProcedureOutput<P>>> {
  const client = useContractClient();
  const { name, procedure, query, limit, rowsOf, isComplete, idOf } = options;
  const key = JSON.stringify(query);
  const source = useMemo(
    (): ListSource<Row, CompleteList<Row, ProcedureOutput<P>>> => ({
      key,
      fetchPage: async (_after, _limit, signal) => {
        const input = { ...(JSON.parse(key) as ProcedureInput<P>), ...(limit !== undefined && { limit }) };
        const answer = await callProcedure(client, procedure, input, { signal });
        const rows = rowsOf(answer);
        const total = { count: rows.length, exact: isComplete?.(answer) ?? true };
        return { rows, next: null, total, answer };
      },
    }),
    [client, key, procedure, limit, rowsOf, isComplete],
  );
  const grid = useGrid({ name, source, idOf, procedure, query });
  const lastLimit = useRef(limit);
  useEffect(() => {
    if (lastLimit.current === limit) return;
    lastLimit.current = limit;
    grid.refresh();
  }, [grid, limit]);
  return grid;
}
