import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { BAR_PLOT_INSETS, BarPlot, type StackedBar } from './bar-plot.tsx';
import {
  createRangeCursor,
  extendToOverlappingRanges,
  findNextRange,
  findRangeIndexAt,
  getCursorTimeRange,
  getPositionInTimeWindow,
  moveTimeRangeCursor,
  type TimeRange,
  type TimeRangeCursor,
} from './time-ranges.ts';

/** Time range that is highlighted on the timeline, for example an outage. */
interface TimelineMark extends TimeRange {
  readonly id: string;
  readonly label: string;
  /** True if the marked time range requires no action. */
  readonly isResolved?: boolean;
}

interface TimelineProps {
  readonly label: string;
  /** Describes the available keys for screen readers. */
  readonly hint: string;
  readonly bars: readonly StackedBar[];
  readonly colors: readonly string[];
  readonly marks: readonly TimelineMark[];
  /** Id of the selected mark, or null if none is selected. */
  readonly selectedMark: string | null;
  readonly height: number;
  /** Selected bars, or null if none are selected. */
  readonly cursor: TimeRangeCursor | null;
  /** Describes the selected bars for screen readers. */
  readonly cursorText: string;
  readonly onCursor: (cursor: TimeRangeCursor | null) => void;
  readonly onSelectMark: (id: string) => void;
  /** Called when the user presses Enter to zoom in. */
  readonly onEnter: () => void;
}

/** Minimum width of a mark as a fraction of the timeline's width, so that short marks can be seen and clicked. */
const MIN_MARK_WIDTH = 0.012;

/**
 * Bar chart over time with marks above the bars. The entire timeline is one tab stop. Arrow keys move between bars,
 * Shift+arrow selects a range, and Page Up and Page Down move between marks. Dragging also selects bars.
 */
export function Timeline(props: TimelineProps) {
  const { bars, cursor } = props;
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const window: TimeRange = { from: first.from, to: last.to };
  return (
    <div
      className="timeline"
      role="slider"
      tabIndex={0}
      aria-label={props.label}
      aria-description={props.hint}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={bars.length - 1}
      aria-valuenow={cursor?.head ?? 0}
      aria-valuetext={props.cursorText}
      onKeyDown={(event) => handleTimelineKey(event, props, window)}
    >
      <BarPlot bars={bars} colors={props.colors} from={window.from} to={window.to} height={props.height} />
      <TimelineOverlay {...props} window={window} />
    </div>
  );
}

/** Shows the marks and the selection above the bars, and handles pointer events. */
function TimelineOverlay(props: TimelineProps & { readonly window: TimeRange }) {
  const { bars, window, selectedMark, cursor, onCursor } = props;
  const box = useRef<HTMLDivElement>(null);
  const dragAnchor = useRef<number | null>(null);
  const covered = cursor && getCursorTimeRange(cursor, bars);
  const selection = covered && getPositionInTimeWindow(covered, window);
  const barIndexAt = (event: PointerEvent) => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    return findRangeIndexAt(window.from + ((event.clientX - left) / width) * (window.to - window.from), bars);
  };
  const { right, below, left } = BAR_PLOT_INSETS;
  return (
    <div
      ref={box}
      className="timeline-overlay"
      style={{ inset: `0 ${right}px ${below}px ${left}px` }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const head = barIndexAt(event);
        dragAnchor.current = event.shiftKey && cursor ? cursor.anchor : head;
        onCursor({ anchor: dragAnchor.current, head });
      }}
      onPointerMove={(event) => {
        if (dragAnchor.current !== null) onCursor({ anchor: dragAnchor.current, head: barIndexAt(event) });
      }}
      onPointerUp={() => {
        dragAnchor.current = null;
      }}
    >
      {sortMarks(props.marks).map((mark) => {
        const position = getPositionInTimeWindow(
          extendToOverlappingRanges(mark, bars),
          window,
          MIN_MARK_WIDTH,
        );
        return (
          position && (
            <span
              key={mark.id}
              className={`timeline-mark${mark.isResolved ? ' timeline-mark-resolved' : ''}${mark.id === selectedMark ? ' timeline-mark-selected' : ''}`}
              style={asPercent(position)}
              title={mark.label}
              onPointerDown={(event) => {
                event.stopPropagation();
                props.onSelectMark(mark.id);
              }}
            />
          )
        );
      })}
      {selection && <span className="timeline-cursor" style={asPercent(selection)} />}
    </div>
  );
}

function handleTimelineKey(event: KeyboardEvent, props: TimelineProps, window: TimeRange): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!performTimelineKey(event, props, window)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Handles a key press on the timeline. Returns true if the key was handled. */
function performTimelineKey(event: KeyboardEvent, props: TimelineProps, window: TimeRange): boolean {
  const { bars, cursor, onCursor } = props;
  const mark = props.marks.find(({ id }) => id === props.selectedMark);
  switch (event.key) {
    case 'Enter':
      props.onEnter();
      return true;
    case 'PageDown':
    case 'PageUp': {
      const current = mark ?? (cursor && getCursorTimeRange(cursor, bars));
      const next = nextMark(props.marks, current?.from ?? null, window, event.key === 'PageDown' ? 1 : -1);
      if (next) props.onSelectMark(next.id);
      return true;
    }
    case 'Escape':
      if (cursor === null && props.selectedMark === null) return false;
      onCursor(null);
      return true;
    default: {
      const from = cursor ?? startCursor(mark, bars);
      const to = moveTimeRangeCursor(from, event.key, event.shiftKey && from.head >= 0, bars.length);
      if (to !== null) onCursor(to);
      return to !== null;
    }
  }
}

/** Returns the cursor from which keys move if no bars are selected: the selected mark, or before the first bar. */
function startCursor(mark: TimelineMark | undefined, bars: readonly StackedBar[]): TimeRangeCursor {
  return mark ? createRangeCursor(mark, bars) : { anchor: -1, head: -1 };
}

/** Returns the next mark after (or before) a point in time. For null, returns the first (or last) mark. */
function nextMark(
  marks: readonly TimelineMark[],
  from: number | null,
  window: TimeRange,
  by: 1 | -1,
): TimelineMark | null {
  return findNextRange(from ?? (by > 0 ? window.from - 1 : window.to), sortMarks(marks), by);
}

function sortMarks(marks: readonly TimelineMark[]): TimelineMark[] {
  return marks.toSorted((a, b) => a.from - b.from);
}

function asPercent({ left, width }: { readonly left: number; readonly width: number }) {
  return { left: `${left * 100}%`, width: `${width * 100}%` };
}
