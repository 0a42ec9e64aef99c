import { Webhook } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ContractOutputs, Outage, Site, WebhookTimeline } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { useDebouncedValue } from '../controls/use-debounced-value.ts';
import { ErrorMessage } from '../errors/error-message.tsx';
import { DETAIL_DEBOUNCE_MS } from '../grid/lists/use-detail-sync.ts';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { navigate, selectTab, useWindowState } from '../navigation/window-state.ts';
import type { StackedBar } from '../plots/bar-plot.tsx';
import {
  findRangeIndexAt,
  getCursorTimeRange,
  type TimeRange,
  type TimeRangeCursor,
} from '../plots/time-ranges.ts';
import { texts } from '../texts/texts.ts';
import { EndpointStatus } from './endpoint-status.tsx';
import { ErrorGroupList } from './error-groups.tsx';
import { IncidentList } from './incident-list.tsx';
import { OUTAGE_LIST_LIMITS, OutageList, useOutages } from './outage-list.tsx';
import {
  countDeliveries,
  expandTimeRange,
  formatOutageMarkLabel,
  formatOutageRange,
  getOutageRange,
  toStackedBars,
  toWebhookFilter,
} from './outage-ranges.ts';
import { createCommandTargets, resetOutageScreenState, useOutageScreenState } from './outage-selection.ts';
import { TimeRangeSelectionSummary } from './time-range-selection-summary.tsx';
import { WebhookLogTimeline } from './webhook-log-timeline.tsx';
import './outages.css';

const text = texts.outages;
/** Maximum number of bars in the timeline. Chosen by judgment. */
const MAX_BARS = 240;
const noOutages: ContractOutputs['webhooks']['outages'] = { outages: [], more: 0 };

/** Screen that shows outages and failed webhook deliveries. Users plan replays from here. */
export function OutagesScreen({ site }: { readonly site: Site }) {
  const [zoom, setZoom] = useState<TimeRange | null>(null);
  const { data: timeline, error } = useQuery('webhooks.timeline', {
    site: site.site,
    filter: zoom ? toWebhookFilter(zoom) : {},
    buckets: MAX_BARS,
  });
  return (
    <ScreenLayout title={text.title}>
      {error && <ErrorMessage error={error} />}
      {!timeline && !error && <Skeleton lines={12} />}
      {timeline &&
        (timeline.buckets.length === 0 && zoom === null ? (
          <EmptyState
            icon={Webhook}
            title={text.emptyTitle}
            action={<CommandButton id="sync.start" kind="primary" />}
            text={text.emptyText}
          />
        ) : (
          <OutageLog site={site} timeline={timeline} zoom={zoom} onZoom={setZoom} />
        ))}
    </ScreenLayout>
  );
}

interface OutageLogProps {
  readonly site: Site;
  readonly timeline: WebhookTimeline;
  readonly zoom: TimeRange | null;
  readonly onZoom: (zoom: TimeRange | null) => void;
}

function OutageLog({ site, timeline, zoom, onZoom }: OutageLogProps) {
  const list = useWindowState(({ tabs }) => (tabs['outageLists'] === 'incidents' ? 'incidents' : 'outages'));
  const [limit, setLimit] = useState(OUTAGE_LIST_LIMITS.initial);
  // The timeline marks all listed outages, so that the active row always has a mark.
  const grid = useOutages(site.site, limit);
  const { outages, more } = useStore(grid.state, ({ firstPage }) => firstPage?.answer ?? noOutages);
  const bars = useMemo(() => toStackedBars(timeline), [timeline]);
  const selection = useTimelineSelection(bars, outages);
  const { selected, range, cursor } = selection;
  const allBars = { from: bars[0]?.from ?? 0, to: bars.at(-1)?.to ?? 0 };
  const counts = countDeliveries(bars, range ?? allBars);
  const rangeText = formatOutageRange(range ?? allBars);
  const countsText = text.counts(counts.accepted, counts.failed, counts.pending);
  const { from, to } = range ?? zoom ?? { from: null, to: null };
  const within = useMemo(
    () => (from === null || to === null ? {} : toWebhookFilter({ from, to })),
    [from, to],
  );
  const debouncedWithin = useDebouncedValue(within, DETAIL_DEBOUNCE_MS);
  const target = range && (selected ? expandTimeRange(range) : range);
  const zoomIn = () => {
    if (!target) return;
    onZoom(target);
    selection.clearDrawn();
  };

  // Uses a layout effect, so that the next key press acts on what is currently shown.
  useLayoutEffect(() => {
    useOutageScreenState.setState({
      ...createCommandTargets({
        selected,
        within: from === null ? null : within,
        hasFailures: counts.failed + counts.pending > 0,
      }),
      within,
      zoomIn: canZoomIn(target, zoom, timeline.bucket_ms) ? zoomIn : null,
      showAll: zoom ? () => onZoom(null) : null,
    });
  });
  useEffect(() => resetOutageScreenState, []);

  return (
    <div className="outages">
      <EndpointStatus site={site} />
      <WebhookLogTimeline
        bars={bars}
        outages={outages}
        selected={selected}
        cursor={cursor}
        cursorText={selected ? formatOutageMarkLabel(selected) : `${rangeText}: ${countsText}`}
        onCursor={selection.drawRange}
        onSelect={selection.selectOutage}
        onZoom={zoomIn}
      />
      <TimeRangeSelectionSummary selected={selected} rangeText={rangeText} countsText={countsText} />
      <div className="outages-lists">
        <section aria-label={list === 'incidents' ? texts.incidents.title : text.grid}>
          <SegmentedControl
            label={texts.incidents.lists}
            labelUnseen
            value={list}
            onChange={(chosen) => selectTab('outageLists', chosen)}
            options={[
              { value: 'outages', label: text.title },
              { value: 'incidents', label: texts.incidents.title },
            ]}
          />
          {list === 'incidents' ? (
            <IncidentList site={site} />
          ) : (
            <OutageList
              {...{ grid, limit, more }}
              onMore={() => setLimit(OUTAGE_LIST_LIMITS.max)}
              onOpen={(outage) => selection.selectOutage(outage.id)}
            />
          )}
        </section>
        <section aria-label={text.errors}>
          <h2>{from !== null ? text.errorsInRange : text.errors}</h2>
          <ErrorGroupList site={site} within={debouncedWithin} />
        </section>
      </div>
    </div>
  );
}

interface TimelineSelection {
  /** Selected outage, or null if a range is drawn or nothing is selected. */
  readonly selected: Outage | null;
  /** Time range of the selected outage or of the range drawn by the user. */
  readonly range: TimeRange | null;
  readonly cursor: TimeRangeCursor | null;
  readonly drawRange: (cursor: TimeRangeCursor | null) => void;
  readonly clearDrawn: () => void;
  readonly selectOutage: (id: string) => void;
}

/** Returns the selection on the timeline: the outage named in the route, or a range of bars drawn by the user. */
function useTimelineSelection(bars: readonly StackedBar[], outages: readonly Outage[]): TimelineSelection {
  const item = useWindowState((state) => state.route.item);
  // Stores the start times of the bars, so that the drawn range keeps its position when the bars change.
  const [drawn, setDrawn] = useState<TimeRangeCursor | null>(null);
  const cursor = drawn && {
    anchor: findRangeIndexAt(drawn.anchor, bars),
    head: findRangeIndexAt(drawn.head, bars),
  };
  const selected = outages.find(({ id }) => id === item) ?? null;
  return {
    selected,
    range: selected ? getOutageRange(selected) : cursor && getCursorTimeRange(cursor, bars),
    cursor,
    drawRange: (indexes) => {
      setDrawn(indexes && { anchor: bars[indexes.anchor]?.from ?? 0, head: bars[indexes.head]?.from ?? 0 });
      if (item !== null) navigate({ item: null }, true);
    },
    clearDrawn: () => setDrawn(null),
    selectOutage: (id) => {
      setDrawn(null);
      navigate({ item: id }, true);
    },
  };
}

/** Shortest time range to which users can zoom in, chosen by judgment. */
const MIN_ZOOM_MS = 60_000;

/** Returns true if the user can zoom in to the target: it is not yet shown and is longer than one short bar. */
function canZoomIn(target: TimeRange | null, zoom: TimeRange | null, bucketMs: number): boolean {
  if (target === null) return false;
  const isShown = zoom?.from === target.from && zoom.to === target.to;
  return !isShown && target.to - target.from > Math.min(MIN_ZOOM_MS, bucketMs);
}
