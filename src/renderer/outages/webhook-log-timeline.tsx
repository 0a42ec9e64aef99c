import type { Outage } from '../../contract/index.ts';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { selectTab, useWindowState } from '../navigation/window-state.ts';
import type { StackedBar } from '../plots/bar-plot.tsx';
import type { TimeRangeCursor } from '../plots/time-ranges.ts';
import { Timeline } from '../plots/timeline.tsx';
import { formatDuration } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { formatOutageMarkLabel, getOutageRange, TIMELINE_PART_COLORS } from './outage-ranges.ts';
import { TimelineTable } from './timeline-table.tsx';

const text = texts.outages;
const PLOT_HEIGHT_PX = 172;

interface LogTimelineProps {
  readonly bars: readonly StackedBar[];
  readonly outages: readonly Outage[];
  readonly selected: Outage | null;
  readonly cursor: TimeRangeCursor | null;
  /** Describes the selected time range for screen readers. */
  readonly cursorText: string;
  readonly onCursor: (cursor: TimeRangeCursor | null) => void;
  readonly onSelect: (id: string) => void;
  readonly onZoom: () => void;
}

/** Shows the webhook log over time, as an interactive chart or as a table. */
export function WebhookLogTimeline(props: LogTimelineProps) {
  const { bars, outages, selected } = props;
  const view = useWindowState(({ tabs }) => (tabs['outages'] === 'table' ? 'table' : 'plot'));
  const [first] = bars;
  return (
    <section className="log-timeline" aria-label={text.timeline}>
      <header>
        <ul className="log-legend">
          {(['accepted', 'failed', 'pending'] as const).map((part) => (
            <li key={part} className={`legend-${part}`}>
              {text.parts[part]}
            </li>
          ))}
          <li className="legend-outage">{text.tableColumns.outage}</li>
        </ul>
        <span className="fineprint">{first && text.barLength(formatBarLength(first.to - first.from))}</span>
        <SegmentedControl
          label={text.views}
          labelUnseen
          value={view}
          onChange={(chosen) => selectTab('outages', chosen)}
          options={[
            { value: 'plot', label: text.plot },
            { value: 'table', label: text.table },
          ]}
        />
      </header>
      <div style={{ height: PLOT_HEIGHT_PX }}>
        {view === 'table' ? (
          <TimelineTable bars={bars} outages={outages} />
        ) : (
          <Timeline
            label={text.timeline}
            hint={text.timelineHint}
            bars={bars}
            colors={TIMELINE_PART_COLORS}
            marks={outages.map((outage) => ({
              ...getOutageRange(outage),
              id: outage.id,
              label: formatOutageMarkLabel(outage),
              isResolved: outage.kind === 'gap',
            }))}
            selectedMark={selected?.id ?? null}
            height={PLOT_HEIGHT_PX}
            cursor={props.cursor}
            cursorText={props.cursorText}
            onCursor={props.onCursor}
            onSelectMark={props.onSelect}
            onEnter={props.onZoom}
          />
        )}
      </div>
    </section>
  );
}

const HOUR = 3_600_000;

function formatBarLength(ms: number): string {
  if (ms === HOUR) return text.barLengths.hour;
  if (ms === 24 * HOUR) return text.barLengths.day;
  return ms > 24 * HOUR ? text.barLengths.days(Math.round(ms / (24 * HOUR))) : formatDuration(ms);
}
