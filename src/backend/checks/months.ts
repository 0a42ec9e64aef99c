import type { Outputs } from '../../contract/index.ts';
import { monthsBetween, monthToClose } from '../../domain/ledger/index.ts';
import { openByMonth } from '../store/checks/exception-figures.ts';
import type { ReadableDb } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import { statementDays } from '../store/statements/statement-days.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { logDays } from '../store/webhooks/webhook-facets.ts';

/**
 * The months held, by the calendar of the site, and which is most likely to be closed now: as of the last sync, nothing newer is
 * known. `now`: our clock, ms UTC.
 */
export function checkMonths(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  now: number,
): Outputs['check']['months'] {
  const log = logDays(cache);
  const filed = statementDays(cache);
  // A statement that is dated years ahead is an exception, and makes no months. A sandbox’s clock may be ahead of ours.
  const latest = latestOf([log.last, isoMoment(now).slice(0, 10)]);
  const days = [log.first, log.last, filed.first, filed.last].filter((day) => day !== null && day <= latest);
  const [first, last] = [days.toSorted()[0], latestOf(days)];
  if (first == null) return { months: [], due: null };
  const open = openByMonth(books);
  const months = monthsBetween(first, last).map((period) => ({ period, open: open.get(period) ?? 0 }));
  const synced = partState(cache, 'statements')?.synced_at ?? 0;
  return { months, due: monthToClose(months, latestOf([last, isoMoment(synced).slice(0, 10)])) };
}

const latestOf = (days: readonly (string | null)[]): string =>
  days.reduce<string>((latest, day) => (day !== null && day > latest ? day : latest), '');
