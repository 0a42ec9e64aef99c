/** From an instant up to, not including, another; ms UTC. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Stretches beside each other, in order: where a cursor stands in them, and from where on it was drawn. */
export interface Cursor {
  readonly anchor: number;
  readonly head: number;
}

/** The stretch from the first to the last one the cursor covers; null where there are none. */
export function coveredBy(cursor: Cursor, stretches: readonly Stretch[]): Stretch | null {
  const first = stretches[Math.min(cursor.anchor, cursor.head)];
  const last = stretches[Math.max(cursor.anchor, cursor.head)];
  return first && last ? { from: first.from, to: last.to } : null;
}

/** The place of the stretch that holds the instant, or lies nearest to it. */
export function placeAt(at: number, stretches: readonly Stretch[]): number {
  const beyond = stretches.findIndex(({ to }) => at < to);
  return beyond < 0 ? Math.max(0, stretches.length - 1) : beyond;
}

/** The cursor that covers a stretch. */
export function cursorOver({ from, to }: Stretch, stretches: readonly Stretch[]): Cursor {
  return { anchor: placeAt(from, stretches), head: placeAt(Math.max(from, to - 1), stretches) };
}

/** Where a stretch lies in a window, as parts of its width; at least `least` wide, and null where it is out of sight. */
export function within(
  stretch: Stretch,
  window: Stretch,
  least = 0,
): { readonly left: number; readonly width: number } | null {
  const length = window.to - window.from;
  if (length <= 0 || stretch.to <= window.from || stretch.from >= window.to) return null;
  const left = Math.max(0, (stretch.from - window.from) / length);
  const right = Math.min(1, (stretch.to - window.from) / length);
  const width = Math.min(1, Math.max(least, right - left));
  const middle = (left + right) / 2;
  return { left: Math.min(1 - width, Math.max(0, middle - width / 2)), width };
}

/** A stretch widened to the ends of those it touches; itself where it lies beyond them. */
export function roundedTo(stretch: Stretch, stretches: readonly Stretch[]): Stretch {
  const touched = stretches.filter(({ from, to }) => from < stretch.to && to > stretch.from);
  const [first, last] = [touched[0], touched.at(-1)];
  return first && last ? { from: first.from, to: last.to } : stretch;
}

/** The next of some stretches after (or before) an instant; null where there is none. */
export function nextFrom<S extends Stretch>(at: number, stretches: readonly S[], by: 1 | -1): S | null {
  return by > 0
    ? (stretches.find(({ from }) => from > at) ?? null)
    : (stretches.findLast(({ from }) => from < at) ?? null);
}

/** What a key does to the cursor; null where it means nothing here. */
export function moved(cursor: Cursor, key: string, extend: boolean, count: number): Cursor | null {
  const to = {
    ArrowLeft: cursor.head - 1,
    ArrowRight: cursor.head + 1,
    Home: 0,
    End: count - 1,
  }[key];
  if (to === undefined) return null;
  const head = Math.max(0, Math.min(count - 1, to));
  return { anchor: extend ? cursor.anchor : head, head };
}
