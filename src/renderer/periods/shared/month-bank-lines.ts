import { toMonthRange } from '../../../domain/ledger/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';

/** Returns true if bank or processor lines of the month are imported. Null means any month. Undefined while loading. */
export function useHasBankLines(site: string, month: string | null): boolean | undefined {
  const days = month === null ? null : toMonthRange(`${month}-01`);
  const filter = days === null ? {} : { since: days.first, until: days.last };
  const { data } = useQuery('bank.lines', { site, filter, limit: 1 });
  return data && data.rows.length > 0;
}
