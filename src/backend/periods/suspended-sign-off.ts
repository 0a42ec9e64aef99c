import { formatMoney } from '../../domain/ledger/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { findLowestThresholds } from '../../domain/workpaper/index.ts';
import { sumSignOffChanges } from '../store/periods/sign-off-change.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { readWorkpaperSettings } from '../workpaper/workpaper-settings.ts';

/**
 * Returns why changes since sign-off suspend the sign-off with these closed figures, or null if they do not. The policy of
 * the site decides. The closed figures stay as signed.
 */
export function findSuspension(books: ReadableDb, closedFigures: number): string | null {
  const { suspend_on, thresholds } = readWorkpaperSettings(books);
  const { count, sums } = sumSignOffChanges(books, closedFigures);
  if (suspend_on === 'never' || count === 0) return null;
  const lowest = findLowestThresholds(thresholds);
  const exceeding = sums.filter(
    ({ currency, absolute_in_cents }) =>
      suspend_on === 'any' || absolute_in_cents > (lowest.get(currency) ?? Number.POSITIVE_INFINITY),
  );
  if (exceeding.length === 0) return null;
  const amounts = exceeding.map(({ currency, absolute_in_cents }) => {
    const threshold = suspend_on === 'any' ? '' : `, threshold ${formatMoney(lowest.get(currency)!)}`;
    return `${formatMoney(absolute_in_cents)} ${currency}${threshold}`;
  });
  return `The sign-off is suspended by ${formatCount(count, 'change')} since sign-off (absolute amounts: ${amounts.join('; ')}). Reopen the period with a reason and sign it off again. The figures as signed stay on record.`;
}
