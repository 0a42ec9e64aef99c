/** Time range in UTC milliseconds. `to` is exclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Selection of consecutive time ranges by index, from `anchor` (where the selection started) to `head`. */
export interface TimeRangeCursor {
  readonly anchor: number;
  readonly head: number;
}

/** Returns the time range that the cursor covers, or null if the cursor is outside the ranges. */
export function getCursorTimeRange(cursor: TimeRangeCursor, ranges: readonly TimeRange[]): TimeRange | null {
  const first = ranges[Math.min(cursor.anchor, cursor.head)];
  const last = ranges[Math.max(cursor.anchor, cursor.head)];
  return first && last ? { from: first.from, to: last.to } : null;
}

/** Returns the index of the range that contains a point in time, or of the nearest range. */
export function findRangeIndexAt(at: number, ranges: readonly TimeRange[]): number {
  const nextIndex = ranges.findIndex(({ to }) => at < to);
  return nextIndex < 0 ? Math.max(0, ranges.length - 1) : nextIndex;
}

/** Returns the cursor that covers the given time range. */
export function createRangeCursor({ from, to }: TimeRange, ranges: readonly TimeRange[]): TimeRangeCursor {
  return { anchor: findRangeIndexAt(from, ranges), head: findRangeIndexAt(Math.max(from, to - 1), ranges) };
}

/** Returns the position of a time range in a window, as fractions of its width, or null if the range is not visible. */
export function getPositionInTimeWindow(
  range: TimeRange,
  window: TimeRange,
  minWidth = 0,
): { readonly left: number; readonly width: number } | null {
  const length = window.to - window.from;
  if (length <= 0 || range.to <= window.from || range.from >= window.to) return null;
  const left = Math.max(0, (range.from - window.from) / length);
  const right = Math.min(1, (range.to - window.from) / length);
  const width = Math.min(1, Math.max(minWidth, right - left));
  const middle = (left + right) / 2;
  return { left: Math.min(1 - width, Math.max(0, middle - width / 2)), width };
}

/** Extends a time range to the bounds of the ranges that it overlaps, if there are any. */
export function extendToOverlappingRanges(range: TimeRange, ranges: readonly TimeRange[]): TimeRange {
  const overlapping = ranges.filter(({ from, to }) => from < range.to && to > range.from);
  const [first, last] = [overlapping[0], overlapping.at(-1)];
  return first && last ? { from: first.from, to: last.to } : range;
}

/** Returns the next range that starts after (or before) a point in time, or null if there is none. */
export function findNextRange<S extends TimeRange>(at: number, ranges: readonly S[], by: 1 | -1): S | null {
  return by > 0
    ? (ranges.find(({ from }) => from > at) ?? null)
    : (ranges.findLast(({ from }) => from < at) ?? null);
}

/** Returns the new cursor after a key press, or null if the key does not move the cursor. */
export function moveTimeRangeCursor(
  cursor: TimeRangeCursor,
  key: string,
  extend: boolean,
  count: number,
): TimeRangeCursor | null {
  const to = { ArrowLeft: cursor.head - 1, ArrowRight: cursor.head + 1, Home: 0, End: count - 1 }[key];
  if (to === undefined) return null;
  const head = Math.max(0, Math.min(count - 1, to));
  return { anchor: extend ? cursor.anchor : head, head };
}
