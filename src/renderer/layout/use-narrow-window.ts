import { useSyncExternalStore } from 'react';

/** Below this width, a list and a detail next to each other are too narrow to read. Chosen by judgment. */
const MAX_NARROW_WIDTH_PX = 820;

let query: MediaQueryList | undefined;

/** Returns the query, created at its first use, because tests import the screens without a window. */
function getNarrowWindow(): MediaQueryList {
  query ??= window.matchMedia(`(max-width: ${MAX_NARROW_WIDTH_PX}px)`);
  return query;
}

function subscribe(notify: () => void): () => void {
  const narrowWindow = getNarrowWindow();
  narrowWindow.addEventListener('change', notify);
  return () => narrowWindow.removeEventListener('change', notify);
}

/** Returns true if the window is too narrow for a list and a detail next to each other, for example at 200% zoom. */
export function useNarrowWindow(): boolean {
  return useSyncExternalStore(subscribe, () => getNarrowWindow().matches);
}
