/** Position in a list: the row at the top of the view, the active row, and the selection. */
export interface ListPosition {
  /** Key of the list's query. A position applies only to the list with the same key. */
  readonly key: string;
  readonly topRow: number;
}

type PositionReader = () => ListPosition | null;

/** Functions that read the current position in each open list, by grid name. */
const readers = new Map<string, PositionReader>();
/** Last known position in each list, for lists that are opened again without going back. */
const lastPositions = new Map<string, ListPosition>();

type EntryState = { readonly positions?: Readonly<Record<string, ListPosition>> } | null;

/** Returns the position to restore in a list: that of the current history entry, otherwise the last one. */
export function findListPosition<P extends ListPosition>(name: string, key: string): P | null {
  const { positions } = (history.state as EntryState) ?? {};
  const candidates = [positions?.[name], lastPositions.get(name)];
  return (candidates.find((position) => position?.key === key) as P | undefined) ?? null;
}

/** Tracks the position in a list while it is open. Returns a function that stores the last position and stops. */
export function trackListPosition(name: string, read: PositionReader): () => void {
  readers.set(name, read);
  return () => {
    rememberPosition(name, read);
    if (readers.get(name) === read) readers.delete(name);
  };
}

/** Saves the positions in all open lists in the current history entry, where reload, back, and forward find them. */
export function saveListPositions(): void {
  if (readers.size === 0) return;
  const positions: Record<string, ListPosition> = {};
  for (const [name, read] of readers) {
    const position = rememberPosition(name, read);
    if (position) positions[name] = position;
  }
  history.replaceState({ positions } satisfies EntryState, '');
}

/** Delay in milliseconds after an input before positions are saved. Browsers limit calls to `replaceState`. */
const SAVE_DELAY_MS = 300;

/** Saves positions after each input, because the browser fires no event before it goes back or forward. */
export function savePositionsOnInput(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(saveListPositions, SAVE_DELAY_MS);
  };
  const inputEvents = ['scroll', 'keyup', 'click'];
  for (const type of inputEvents) window.addEventListener(type, schedule, { capture: true, passive: true });
  // Uses `beforeunload`, because at `pagehide` a reload has already read the history entry's state.
  window.addEventListener('beforeunload', saveListPositions);
  return () => {
    clearTimeout(timer);
    for (const type of inputEvents) window.removeEventListener(type, schedule, { capture: true });
    window.removeEventListener('beforeunload', saveListPositions);
  };
}

function rememberPosition(name: string, read: PositionReader): ListPosition | null {
  const position = read();
  if (position) lastPositions.set(name, position);
  return position;
}
