import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { BAR_FRAME, type Bar, BarPlot } from './bar-plot.tsx';
import {
  type Cursor,
  coveredBy,
  cursorOver,
  moved,
  nextFrom,
  placeAt,
  roundedTo,
  type Stretch,
  within,
} from './timeline.ts';

/** A stretch of time that stands out. */
export interface Mark extends Stretch {
  readonly id: string;
  readonly label: string;
  /** Needs nothing done. */
  readonly calm?: boolean;
}

interface TimelineProps {
  readonly label: string;
  /** How it is worked by keys, for screen readers. */
  readonly hint: string;
  readonly bars: readonly Bar[];
  readonly colors: readonly string[];
  readonly marks: readonly Mark[];
  /** The mark that is picked. */
  readonly picked: string | null;
  readonly height: number;
  /** What is looked at; null before anybody did. */
  readonly cursor: Cursor | null;
  /** The bars under the cursor in words. */
  readonly cursorText: string;
  readonly onCursor: (cursor: Cursor | null) => void;
  readonly onPick: (id: string) => void;
  /** Enter: a closer look. */
  readonly onEnter: () => void;
}

/** However short, a mark can be seen and hit. */
const LEAST = 0.012;

/**
 * Bars over time with marks above them. One tab stop: the arrows move from bar to bar, with Shift they draw a stretch, and page up
 * and down go from mark to mark; a pointer does the same by pressing and drawing.
 */
export function Timeline(props: TimelineProps) {
  const { bars, picked, cursor, onCursor } = props;
  const marks = props.marks.toSorted((a, b) => a.from - b.from);
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<number | null>(null);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const window: Stretch = { from: first.from, to: last.to };
  const mark = marks.find(({ id }) => id === picked);
  const covered = cursor && coveredBy(cursor, bars);
  const chosen = covered && within(covered, window);

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') props.onEnter();
    else if (event.key === 'Escape' && (cursor !== null || picked !== null)) onCursor(null);
    else if (event.key === 'PageDown' || event.key === 'PageUp') {
      const by = event.key === 'PageDown' ? 1 : -1;
      const at = (mark ?? covered)?.from ?? (by > 0 ? window.from - 1 : window.to);
      const next = nextFrom(at, marks, by);
      if (next) props.onPick(next.id);
    } else {
      const at = cursor ?? (mark ? cursorOver(mark, bars) : { anchor: -1, head: -1 });
      const to = moved(at, event.key, event.shiftKey && at.head >= 0, bars.length);
      if (to === null) return;
      onCursor(to);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const placeOf = (event: PointerEvent) => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    return placeAt(window.from + ((event.clientX - left) / width) * (window.to - window.from), bars);
  };

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
      onKeyDown={press}
    >
      <BarPlot bars={bars} colors={props.colors} from={window.from} to={window.to} height={props.height} />
      <div
        ref={box}
        className="timeline-over"
        style={{ inset: `0 ${BAR_FRAME.right}px ${BAR_FRAME.below}px ${BAR_FRAME.left}px` }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = placeOf(event);
          drawn.current = event.shiftKey && cursor ? cursor.anchor : at;
          onCursor({ anchor: drawn.current, head: at });
        }}
        onPointerMove={(event) => {
          if (drawn.current !== null) onCursor({ anchor: drawn.current, head: placeOf(event) });
        }}
        onPointerUp={() => {
          drawn.current = null;
        }}
      >
        {marks.map((mark) => {
          const place = within(roundedTo(mark, bars), window, LEAST);
          return (
            place && (
              <span
                key={mark.id}
                className={`timeline-mark${mark.calm ? ' timeline-calm' : ''}${mark.id === picked ? ' timeline-picked' : ''}`}
                style={share(place)}
                title={mark.label}
                onPointerDown={(event) => {
                  event.stopPropagation();
                  props.onPick(mark.id);
                }}
              />
            )
          );
        })}
        {chosen && <span className="timeline-cursor" style={share(chosen)} />}
      </div>
    </div>
  );
}

function share({ left, width }: { readonly left: number; readonly width: number }) {
  return { left: `${left * 100}%`, width: `${width * 100}%` };
}
