import type { Outage } from '../../contract/index.ts';
import { Segments } from '../controls/field.tsx';
import type { Bar } from '../plots/bar-plot.tsx';
import type { Cursor } from '../plots/timeline.ts';
import { Timeline } from '../plots/timeline.tsx';
import { setTab, useView } from '../view/view.ts';
import { durationText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { BarTable } from './bar-table.tsx';
import { markText, PART_COLORS, stretchOf } from './stretch.ts';

const text = words.outages;
const HEIGHT = 172;

interface LogTimelineProps {
  readonly bars: readonly Bar[];
  readonly outages: readonly Outage[];
  readonly picked: Outage | null;
  readonly cursor: Cursor | null;
  /** What is looked at, in words. */
  readonly told: string;
  readonly onCursor: (cursor: Cursor | null) => void;
  readonly onPick: (id: string) => void;
  readonly onZoom: () => void;
}

/** The log over time, as a plot to be worked with or as the table of its figures. */
export function LogTimeline(props: LogTimelineProps) {
  const { bars, outages, picked } = props;
  const view = useView(({ tabs }) => (tabs['outages'] === 'table' ? 'table' : 'plot'));
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
        <span className="fineprint">{first && text.ofEach(lengthText(first.to - first.from))}</span>
        <Segments
          label={text.views}
          labelUnseen
          value={view}
          onChange={(chosen) => setTab('outages', chosen)}
          options={[
            { value: 'plot', label: text.plot },
            { value: 'table', label: text.table },
          ]}
        />
      </header>
      <div style={{ height: HEIGHT }}>
        {view === 'table' ? (
          <BarTable bars={bars} outages={outages} />
        ) : (
          <Timeline
            label={text.timeline}
            hint={text.timelineHint}
            bars={bars}
            colors={PART_COLORS}
            marks={outages.map((outage) => ({
              ...stretchOf(outage),
              id: outage.id,
              label: markText(outage),
              calm: outage.kind === 'hole',
            }))}
            picked={picked?.id ?? null}
            height={HEIGHT}
            cursor={props.cursor}
            cursorText={props.told}
            onCursor={props.onCursor}
            onPick={props.onPick}
            onEnter={props.onZoom}
          />
        )}
      </div>
    </section>
  );
}

const HOUR = 3_600_000;

function lengthText(ms: number): string {
  if (ms === HOUR) return text.lengths.hour;
  if (ms === 24 * HOUR) return text.lengths.day;
  return ms > 24 * HOUR ? text.lengths.days(Math.round(ms / (24 * HOUR))) : durationText(ms);
}
