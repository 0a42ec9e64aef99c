/** Labels and sentences about synced data, shared by the window, the command line and the reports. */
export const syncPartLabels = {
  webhooks: 'Webhooks',
  statements: 'Statements',
  allocations: 'Allocations',
  pdf: 'PDFs',
} as const;

type SyncPart = keyof typeof syncPartLabels;

/** Stored and missing data of one sync part. Times are ISO UTC texts. The open end of a gap is null. */
interface PartCompleteness {
  readonly part: SyncPart;
  readonly stored: number;
  readonly expected: number | null;
  readonly complete: boolean;
  readonly synced_at: string | null;
  readonly gaps?: readonly Gap[] | undefined;
  readonly gone?: number | undefined;
  readonly kept_from_before?: string | null | undefined;
}

type Gap = { readonly from: string | null; readonly to: string | null };

interface DataCompleteness {
  readonly parts: readonly PartCompleteness[];
  readonly complete: boolean;
  readonly set_aside?: string | null | undefined;
}

/** Number and date formatters of the window or command line that displays the sentences. */
interface DataFormats {
  readonly formatCount: (count: number) => string;
  readonly formatDay: (moment: string) => string;
}

/** Maximum number of missing date ranges listed, chosen by judgment. Further ranges are only counted. */
const MAX_LISTED_RANGES = 3;

/** Returns one sentence about a site's missing data; null if there is none. PDFs are downloaded on demand. */
export function describeMissingData(
  { parts, complete }: DataCompleteness,
  formats: DataFormats,
): string | null {
  if (complete) return null;
  const items = parts.filter(({ part }) => part !== 'pdf').flatMap((part) => listMissingItems(part, formats));
  return items.length === 0 ? null : `Missing: ${items.join('; ')}.`;
}

function listMissingItems(status: PartCompleteness, formats: DataFormats): string[] {
  const { part, stored, expected, complete, synced_at, gaps = [] } = status;
  if (complete) return [];
  if (part === 'webhooks' && stored > 0) return gaps.length === 0 ? [] : [describeGaps(gaps, formats)];
  // The expected number of records is derived from other parts, so it is unknown until they have been synced.
  if (synced_at === null && (expected === null || (part === 'allocations' && stored === 0)))
    return [`all ${part}`];
  const missing = (expected ?? 0) - stored;
  if (missing <= 0) return [];
  const noun = part === 'allocations' ? 'allocation histories' : part;
  return [`${formats.formatCount(missing)} of ${formats.formatCount(expected ?? 0)} ${noun}`];
}

function describeGaps(gaps: readonly Gap[], { formatCount, formatDay }: DataFormats): string {
  const ranges = gaps.slice(0, MAX_LISTED_RANGES).map(({ from, to }) => {
    if (from === null) return to === null ? 'of all dates' : `up to ${formatDay(to)}`;
    if (to === null) return `since ${formatDay(from)}`;
    return formatDay(from) === formatDay(to)
      ? `of ${formatDay(from)}`
      : `from ${formatDay(from)} to ${formatDay(to)}`;
  });
  const hidden = gaps.length - ranges.length;
  const more =
    hidden === 0 ? '' : ` and ${formatCount(hidden)} more date ${hidden === 1 ? 'range' : 'ranges'}`;
  return `webhooks ${ranges.join(', ')}${more}`;
}

/** Returns notes about the stored data, for example a damaged cache or records that the service no longer has. */
export function describeStoredData(
  { parts, set_aside }: DataCompleteness,
  { formatCount, formatDay }: DataFormats,
): string[] {
  const notes: string[] = [];
  if (set_aside) {
    notes.push(
      `The local cache was damaged and was set aside on ${formatDay(set_aside)}. Its records will be downloaded again.`,
    );
  }
  for (const { part, gone = 0, kept_from_before } of parts) {
    if (gone > 0) {
      const [noun, verb, continuation] =
        gone === 1 ? [part.slice(0, -1), 'is', 'it stays'] : [part, 'are', 'they stay'];
      notes.push(
        `${formatCount(gone)} ${noun} ${verb} no longer at the service; ${continuation} stored here.`,
      );
    }
    if (kept_from_before) {
      notes.push(
        `Webhooks created before ${formatDay(kept_from_before)} are no longer at the service. Those stored here are kept.`,
      );
    }
  }
  return notes;
}
