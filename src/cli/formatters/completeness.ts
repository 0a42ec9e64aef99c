import type { PartStatus } from '../../contract/app/sync.ts';
import type { Outputs } from '../../contract/contract.ts';
import { formatCount, formatDay, formatMinute, formatNumber } from '../output/format-values.ts';

type Status = Pick<Outputs['sync']['status'], 'parts' | 'complete' | 'set_aside'>;

/** Maximum number of missing date ranges listed. Further ranges are counted. */
const MAX_LISTED_RANGES = 3;

/** Formats in one line what is missing of a site, or returns null. PDFs are not counted, because they are downloaded on demand. */
export function formatMissingData({ parts, complete }: Status): string | null {
  const items = complete ? [] : parts.filter(({ part }) => part !== 'pdf').flatMap(missingItems);
  return items.length === 0 ? null : `Missing: ${items.join('; ')}.`;
}

function missingItems({ part, stored, expected, complete, synced_at, gaps = [] }: PartStatus): string[] {
  if (complete) return [];
  if (part === 'webhooks' && stored > 0) return gaps.length === 0 ? [] : [formatGaps(gaps)];
  // The expected number comes from other parts. It is unknown until they have been read.
  if (synced_at === null && (expected === null || (part === 'allocations' && stored === 0)))
    return [`all ${part}`];
  const missing = (expected ?? 0) - stored;
  if (missing <= 0) return [];
  const noun = part === 'allocations' ? 'allocation histories' : part;
  return [`${formatNumber(missing)} of ${formatNumber(expected ?? 0)} ${noun}`];
}

function formatGaps(gaps: NonNullable<PartStatus['gaps']>): string {
  const ranges = gaps.slice(0, MAX_LISTED_RANGES).map(({ from, to }) => {
    if (from === null) return to === null ? 'of all dates' : `up to ${formatDay(to)}`;
    if (to === null) return `since ${formatDay(from)}`;
    return formatDay(from) === formatDay(to)
      ? `of ${formatDay(from)}`
      : `from ${formatDay(from)} to ${formatDay(to)}`;
  });
  const more = gaps.length - ranges.length;
  return `webhooks ${ranges.join(', ')}${more > 0 ? ` and ${formatCount(more, 'more date range')}` : ''}`;
}

/** Formats notes about the stored data: a damaged cache, and records that the service no longer has. */
export function formatDataNotes({ parts, set_aside }: Status): string[] {
  const lines: string[] = [];
  if (set_aside) {
    lines.push(
      `The local cache was damaged and was set aside on ${formatMinute(set_aside)} UTC. Its records are downloaded again.`,
    );
  }
  for (const { part, gone = 0, kept_from_before } of parts) {
    if (gone > 0) {
      const [are, they] = gone === 1 ? ['is', 'it stays'] : ['are', 'they stay'];
      lines.push(
        `${formatCount(gone, part.slice(0, -1))} ${are} no longer at the service; ${they} stored here.`,
      );
    }
    if (kept_from_before) {
      const from = formatDay(kept_from_before);
      lines.push(`Webhooks created before ${from} are no longer at the service; stored ones stay here.`);
    }
  }
  return lines;
}
