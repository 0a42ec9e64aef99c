import type { ContractOutputs } from '../../contract/index.ts';
import { listMonthsBetween, suggestMonthToClose } from '../../domain/ledger/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { countOpenExceptionsByMonth } from '../store/checks/exception-figures.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { findStatementDateRange } from '../store/statements/statement-date-range.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import { findWebhookLogDateRange } from '../store/webhooks/webhook-facets.ts';

/** Returns the months with stored records and the month to close next. `now` is UTC milliseconds by the local clock. */
export function listMonthsWithRecords(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  now: number,
): ContractOutputs['check']['months'] {
  const log = findWebhookLogDateRange(cache);
  const filed = findStatementDateRange(cache);
  // Statements dated years ahead are reported as exceptions and add no months. A sandbox's clock may be ahead of the
  // local clock.
  const latest = latestDay([log.last, formatTimestamp(now).slice(0, 10)]);
  const days = [log.first, log.last, filed.first, filed.last].filter((day) => day !== null && day <= latest);
  const [first, last] = [days.toSorted().at(0), latestDay(days)];
  if (first == null) return { months: [], due: null };
  const open = countOpenExceptionsByMonth(books);
  const months = listMonthsBetween(first, last).map((period) => ({ period, open: open.get(period) ?? 0 }));
  const synced = readSyncPartState(cache, 'statements')?.synced_at ?? 0;
  const due = suggestMonthToClose(months, latestDay([last, formatTimestamp(synced).slice(0, 10)]));
  return { months, due };
}

const latestDay = (days: readonly (string | null)[]): string =>
  days.reduce<string>((latest, day) => (day !== null && day > latest ? day : latest), '');
