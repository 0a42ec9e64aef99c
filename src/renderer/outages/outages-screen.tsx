import { Webhook } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Outputs, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { useDebouncedValue } from '../controls/use-debounced-value.ts';
import { ErrorMessage } from '../errors/error-message.tsx';
import { DETAIL_DEBOUNCE_MS } from '../grid/lists/use-detail-sync.ts';
import { Screen } from '../layout/screen.tsx';
import { navigate, useWindowState } from '../navigation/window-state.ts';
import { coveredRange, type RangeCursor, rangeIndexAt, type TimeRange } from '../plots/time-ranges.ts';
import { texts } from '../texts/texts.ts';
import { ErrorGroupList } from './error-groups.tsx';
import { LogTimeline } from './log-timeline.tsx';
import { LIST_LIMITS, OutageList, useOutages } from './outage-list.tsx';
import {
  countDeliveries,
  expandRange,
  formatOutageMark,
  formatTimeRange,
  outageRange,
  toStackedBars,
  toWebhookFilter,
} from './outage-ranges.ts';
import { createCommandTargets, resetOutageScreenState, useOutageScreenState } from './outage-selection.ts';
import { SelectionSummary } from './selection-summary.tsx';
import './outages.css';

const text = texts.outages;
const BARS = 240;
const none: Outputs['webhooks']['outages'] = { outages: [], more: 0 };

/** When the endpoint did not take what was sent, and why; a replay is planned from here. */
export function OutagesScreen({ site }: { readonly site: Site }) {
  const [zoom, setZoom] = useState<TimeRange | null>(null);
  const { data: timeline, error } = useQuery('webhooks.timeline', {
    site: site.site,
    filter: zoom ? toWebhookFilter(zoom) : {},
    buckets: BARS,
  });
  return (
    <Screen title={text.title}>
      {error && <ErrorMessage error={error} />}
      {!timeline && !error && <Skeleton lines={12} />}
      {timeline &&
        (timeline.buckets.length === 0 && zoom === null ? (
          <EmptyState
            icon={Webhook}
            title={text.emptyTitle}
            action={<CommandButton id="sync.start" kind="primary" />}
          >
            {text.emptyText}
          </EmptyState>
        ) : (
          <Log site={site} timeline={timeline} zoom={zoom} onZoom={setZoom} />
        ))}
    </Screen>
  );
}

interface LogProps {
  readonly site: Site;
  readonly timeline: Outputs['webhooks']['timeline'];
  readonly zoom: TimeRange | null;
  readonly onZoom: (zoom: TimeRange | null) => void;
}

function Log({ site, timeline, zoom, onZoom }: LogProps) {
  const [most, setMost] = useState(LIST_LIMITS.first);
  // What the list has is on the timeline too: whatever row is gone to, it is what is looked at.
  const grid = useOutages(site.site, most);
  const { outages, more } = useStore(grid.state, ({ firstPage }) => firstPage?.answer ?? none);
  const item = useWindowState((state) => state.route.item);
  const picked = outages.find(({ id }) => id === item) ?? null;
  const bars = useMemo(() => toStackedBars(timeline), [timeline]);
  /** By the instants at which its bars begin, so that it stays where it is when the bars become others. */
  const [drawn, setDrawn] = useState<RangeCursor | null>(null);
  const cursor = drawn && { anchor: rangeIndexAt(drawn.anchor, bars), head: rangeIndexAt(drawn.head, bars) };
  const stretch = picked ? outageRange(picked) : cursor && coveredRange(cursor, bars);
  const shown = { from: bars[0]?.from ?? 0, to: bars.at(-1)?.to ?? 0 };
  const counts = countDeliveries(bars, stretch ?? shown);
  const when = formatTimeRange(stretch ?? shown);
  const told = text.counts(counts.accepted, counts.failed, counts.pending);
  const { from, to } = stretch ?? zoom ?? { from: null, to: null };
  const inIt = useMemo(() => (from === null || to === null ? {} : toWebhookFilter({ from, to })), [from, to]);

  const settled = useDebouncedValue(inIt, DETAIL_DEBOUNCE_MS);

  const look = (at: RangeCursor | null) => {
    setDrawn(at && { anchor: bars[at.anchor]?.from ?? 0, head: bars[at.head]?.from ?? 0 });
    if (item !== null) navigate({ item: null }, true);
  };
  const pick = (id: string) => {
    setDrawn(null);
    navigate({ item: id }, true);
  };
  const target = stretch && (picked ? expandRange(stretch) : stretch);
  const closer = () => {
    if (!target) return;
    onZoom(target);
    setDrawn(null);
  };

  // Before the next key: it acts on what is seen.
  useLayoutEffect(() => {
    /** Nothing new would be seen: it is shown already, or is a single short bar. */
    const near =
      target === null ||
      (zoom?.from === target.from && zoom.to === target.to) ||
      target.to - target.from <= Math.min(LEAST_MS, timeline.bucket_ms);
    const failed = counts.failed + counts.pending > 0;
    useOutageScreenState.setState({
      ...createCommandTargets({ picked, within: from === null ? null : inIt, failed }),
      within: inIt,
      zoom: near ? null : closer,
      whole: zoom ? () => onZoom(null) : null,
    });
  });
  useEffect(() => resetOutageScreenState, []);

  return (
    <div className="outages">
      <LogTimeline
        bars={bars}
        outages={outages}
        picked={picked}
        cursor={cursor}
        told={picked ? formatOutageMark(picked) : `${when}: ${told}`}
        onCursor={look}
        onPick={pick}
        onZoom={closer}
      />
      <SelectionSummary picked={picked} when={when} counts={told} />
      <div className="outages-lists">
        <section aria-label={text.grid}>
          <h2>{text.title}</h2>
          <OutageList
            {...{ grid, most, more }}
            onMore={() => setMost(LIST_LIMITS.most)}
            onOpen={(outage) => pick(outage.id)}
          />
        </section>
        <section aria-label={text.errors}>
          <h2>{from !== null ? text.errorsOfStretch : text.errors}</h2>
          <ErrorGroupList site={site} within={settled} />
        </section>
      </div>
    </div>
  );
}

/** Closer than this nobody needs to look. */
const LEAST_MS = 60_000;
