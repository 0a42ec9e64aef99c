import type { Outputs } from '../../contract/index.ts';
import { monthsBetween, suggestMonthToClose } from '../../domain/ledger/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { openByMonth } from '../store/checks/exception-figures.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { statementDays } from '../store/statements/statement-days.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { logDays } from '../store/webhooks/webhook-facets.ts';

/**
 * Returns the months with stored records, in the site's time zone, and the month to close next. `now` is UTC milliseconds
 * by the local clock.
 */
export function listMonths(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  now: number,
): Outputs['check']['months'] {
  const log = logDays(cache);
  const filed = statementDays(cache);
  // A statement dated years ahead is an exception and does not add months. A sandbox's clock may be ahead of the local
  // clock.
  const latest = latestDay([log.last, formatTimestamp(now).slice(0, 10)]);
  const days = [log.first, log.last, filed.first, filed.last].filter((day) => day !== null && day <= latest);
  const [first, last] = [days.toSorted()[0], latestDay(days)];
  if (first == null) return { months: [], due: null };
  const open = openByMonth(books);
  const months = monthsBetween(first, last).map((period) => ({ period, open: open.get(period) ?? 0 }));
  const synced = partState(cache, 'statements')?.synced_at ?? 0;
  return {
    months,
    due: suggestMonthToClose(months, latestDay([last, formatTimestamp(synced).slice(0, 10)])),
  };
}

const latestDay = (days: readonly (string | null)[]): string =>
  days.reduce<string>((latest, day) => (day !== null && day > latest ? day : latest), '');
