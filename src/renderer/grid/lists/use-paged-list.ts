import { useMemo } from 'react';
import type { PageMarks } from '../../../contract/index.ts';
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

/** Names of the contract procedures that return the given output type. */
type ProcedureReturning<Output> = {
  [P in ProcedureName]: ProcedureOutput<P> extends Output ? P : never;
}[ProcedureName];

/** Names of the contract procedures that return a list page by page. */
export type ListProcedure = ProcedureReturning<ListPage<unknown>>;
/** Row type of a procedure that returns a list. */
export type ProcedureListRow<P extends ListProcedure> = ProcedureOutput<P>['rows'][number];
/** Page type of a procedure that returns a list. */
export type ProcedureListPage<P extends ListProcedure> = Extract<
  ProcedureOutput<P>,
  ListPage<ProcedureListRow<P>>
>;

/** Maximum number of ids that the contract accepts in a filter. */
const MAX_IDS_PER_REQUEST = 1000;

export interface PagedListOptions<P extends ListProcedure> {
  /** Name of the grid, used by commands and stored settings. */
  readonly name: string;
  readonly procedure: P;
  /** Contract procedure that returns the cursors of the list's pages. Required if the list can be long. */
  readonly marksProcedure?: ProcedureReturning<PageMarks>;
  /** Filter and sort order of the list. Both the list procedure and the page mark procedure receive them. */
  readonly query: Omit<ProcedureInput<P>, 'after' | 'limit'> & { readonly site: string };
  readonly idOf: (row: ProcedureListRow<P>) => RowId;
  /**
   * Returns the query for the rows with these ids, without the user's search. The selection then persists when the query
   * changes, so that users can collect rows over several searches.
   */
  readonly selectableQuery?: (ids: number[]) => PagedListOptions<P>['query'];
}

/** Returns the grid for a list that the backend returns page by page. */
export function usePagedList<P extends ListProcedure>(
  options: PagedListOptions<P>,
): GridController<ProcedureListRow<P>, ProcedureListPage<P>> {
  const client = useContractClient();
  const { name, procedure, marksProcedure, query, idOf, selectableQuery } = options;
  const key = JSON.stringify(query);
  const source = useMemo((): ListSource<ProcedureListRow<P>, ProcedureListPage<P>> => {
    const input = JSON.parse(key) as PagedListOptions<P>['query'];
    const fetchList = (request: object, signal: AbortSignal) =>
      callProcedure(client, procedure, request as never, { signal }) as Promise<ProcedureListPage<P>>;
    return {
      key,
      fetchPage: (after, limit, signal) => fetchList({ ...input, limit, after }, signal),
      ...(marksProcedure && {
        fetchMarks: (every, signal) =>
          callProcedure(client, marksProcedure, { ...input, every } as never, { signal }),
      }),
      ...(selectableQuery && {
        fetchById: async (ids, signal) => {
          const rows: ProcedureListRow<P>[] = [];
          for (let start = 0; start < ids.length; start += MAX_IDS_PER_REQUEST) {
            const some = ids.slice(start, start + MAX_IDS_PER_REQUEST).map(Number);
            rows.push(...(await fetchList({ ...selectableQuery(some), limit: some.length }, signal)).rows);
          }
          return rows;
        },
      }),
    };
  }, [client, key, procedure, marksProcedure, selectableQuery]);
  return useGrid({ name, source, idOf, procedure, query });
}
