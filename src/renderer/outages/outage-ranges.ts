import type { Outage, WebhookFilter, WebhookTimeline } from '../../contract/index.ts';
import type { StackedBar } from '../plots/bar-plot.tsx';
import type { TimeRange } from '../plots/time-ranges.ts';
import { formatDateTime, parseDateTime } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';

const text = texts.outages;

/** Colors of the parts of a bar, from bottom to top. Failures are at the bottom, because they require action. */
export const TIMELINE_PART_COLORS = ['--bad-fill', '--warn-fill', '--plot-calm'] as const;

export function toStackedBars({ buckets, bucket_ms }: WebhookTimeline): StackedBar[] {
  return buckets.map(({ at, failed, pending, accepted }) => {
    const from = parseDateTime(at) ?? 0;
    return { from, to: from + bucket_ms, parts: [failed, pending, accepted] };
  });
}

interface DeliveryCounts {
  readonly accepted: number;
  readonly failed: number;
  readonly pending: number;
}

/** Adds up the counts of the bars that lie within the time range. */
export function countDeliveries(bars: readonly StackedBar[], { from, to }: TimeRange): DeliveryCounts {
  const counts = { accepted: 0, failed: 0, pending: 0 };
  for (const bar of bars) {
    if (bar.from < from || bar.to > to) continue;
    counts.failed += bar.parts[0] ?? 0;
    counts.pending += bar.parts[1] ?? 0;
    counts.accepted += bar.parts[2] ?? 0;
  }
  return counts;
}

/** Returns the time range of an outage, including the time of its last webhook. */
export function getOutageRange({ from, to }: Outage): TimeRange {
  const first = parseDateTime(from) ?? 0;
  return { from: first, to: Math.max(first, parseDateTime(to) ?? first) + 1 };
}

/** Converts a time range to a webhook filter, whose range includes both ends. */
export function toWebhookFilter({ from, to }: TimeRange): WebhookFilter {
  return { from: new Date(from).toISOString(), to: new Date(to - 1).toISOString() };
}

const HOUR = 3_600_000;

/** Extends a time range on each side by half of its length, but at least by one hour. */
export function expandTimeRange({ from, to }: TimeRange): TimeRange {
  const marginMs = Math.max(HOUR, Math.round((to - from) / 2));
  return { from: from - marginMs, to: to + marginMs };
}

/** Returns the number of webhooks in an outage that the endpoint has not accepted. */
export function countNotAcceptedWebhooks({ failed, pending }: Outage): number {
  return failed + pending;
}

export function formatOutageRange({ from, to }: TimeRange): string {
  return `${formatDateTime(new Date(from).toISOString())} – ${formatDateTime(new Date(to).toISOString())}`;
}

export function formatOutageMarkLabel(outage: Outage): string {
  return `${text.kinds[outage.kind]}, ${formatOutageRange(getOutageRange(outage))}`;
}

export function describeOutage(outage: Outage): string {
  switch (outage.kind) {
    case 'failures':
      return text.descriptions.failures(countNotAcceptedWebhooks(outage), outage.url ?? '');
    case 'never_sent':
      return text.descriptions.never_sent(countNotAcceptedWebhooks(outage));
    case 'gap':
      return text.descriptions.gap(outage.expected ?? 0);
  }
}
