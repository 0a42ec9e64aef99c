import type { Inputs } from '../../contract/index.ts';
import { useSort } from '../grid/use-sort.ts';
import { useView } from '../view/view.ts';

const orders = ['closed_at', 'opened_at', 'id', 'ending_balance_in_cents', 'customer_name'] as const;

/** The order the list of statements is in, and a way to change it. */
export function useStatementSort() {
  return useSort('statements', orders);
}

/** The list of statements as it is filtered and ordered now. */
export function useStatementList(
  site: string,
): Required<Pick<Inputs['statements']['list'], 'site' | 'filter' | 'sort'>> {
  const filter = useView((view) => view.filters.statements);
  const [sort] = useStatementSort();
  return { site, filter, sort };
}
