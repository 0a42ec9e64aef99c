import { closedFiguresSchema, type SuspensionPolicy } from '../../contract/index.ts';
import { formatMoney } from '../../domain/ledger/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { findLowestThresholds } from '../../domain/workpaper/index.ts';
import type { StoredClosedFigures } from '../store/periods/closed-figures.ts';
import { sumSignOffChanges } from '../store/periods/sign-off-change.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/**
 * Returns the policy for suspension that was sealed at closing. If it cannot be read, the strictest policy applies, so that
 * damage does not hide a suspension.
 */
export function readSealedSuspensionPolicy({
  content,
}: Pick<StoredClosedFigures, 'content'>): SuspensionPolicy {
  try {
    return closedFiguresSchema.pick({ suspension: true }).parse(JSON.parse(content ?? '')).suspension;
  } catch {
    return { suspend_on: 'any', thresholds: [] };
  }
}

/**
 * Returns why changes since sign-off suspend the sign-off with these closed figures, or null if they do not. The policy
 * that the site had at closing decides. Without a threshold, any amount suspends, and so does a change of unknown size. The
 * closed figures stay as signed.
 */
export function findSuspension(books: ReadableDb, closedFigures: StoredClosedFigures): string | null {
  const { suspend_on, thresholds } = readSealedSuspensionPolicy(closedFigures);
  const { count, unsized, sums } = sumSignOffChanges(books, closedFigures.id);
  if (suspend_on === 'never' || count === 0) return null;
  const lowest = findLowestThresholds(thresholds);
  const amounts = sums.flatMap(({ currency, absolute_in_cents }) => {
    const amount = `${formatMoney(absolute_in_cents)} ${currency}`;
    if (suspend_on === 'any') return [amount];
    const threshold = lowest.get(currency) ?? 0;
    return absolute_in_cents > threshold ? [`${amount}, threshold ${formatMoney(threshold)}`] : [];
  });
  if (unsized > 0) amounts.push(`${formatCount(unsized, 'change')} of unknown size`);
  if (amounts.length === 0) return null;
  return `The sign-off is suspended by ${formatCount(count, 'change')} since sign-off (absolute amounts: ${amounts.join('; ')}). Reopen the period with a reason and sign it off again. The figures as signed stay on record.`;
}
