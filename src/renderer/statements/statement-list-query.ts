import type { ContractInputs } from '../../contract/index.ts';
import { useListSort } from '../grid/columns/use-list-sort.ts';
import { useWindowState } from '../navigation/window-state.ts';

/** Sort keys of the statement list. The first one is the default. */
export const statementSortKeys = [
  'closed_at',
  'opened_at',
  'id',
  'ending_balance_in_cents',
  'customer_name',
] as const;

/** Returns the query for the statement list with its current filter and sort order. */
export function useStatementListQuery(
  site: string,
): Required<Pick<ContractInputs['statements']['list'], 'site' | 'filter' | 'sort'>> {
  const filter = useWindowState((state) => state.filters.statements);
  const [sort] = useListSort('statements', statementSortKeys);
  return { site, filter, sort };
}
