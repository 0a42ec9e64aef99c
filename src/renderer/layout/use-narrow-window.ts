import { useSyncExternalStore } from 'react';

/** Below this width, a list and a detail next to each other are too narrow to read. Chosen by judgment. */
const narrowWindow = window.matchMedia('(max-width: 820px)');

function subscribe(notify: () => void): () => void {
  narrowWindow.addEventListener('change', notify);
  return () => narrowWindow.removeEventListener('change', notify);
}

/** Returns true if the window is too narrow for a list and a detail next to each other, for example at 200% zoom. */
export function useNarrowWindow(): boolean {
  return useSyncExternalStore(subscribe, () => narrowWindow.matches);
}
