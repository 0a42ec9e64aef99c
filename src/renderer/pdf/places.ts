import { choose, useChosen } from '../settings/chosen.ts';
import type { Place } from './reader.ts';

/** So many files are remembered; the one looked at longest ago is forgotten first. */
const MOST = 200;
const PAUSE_MS = 800;

/** Where a file was left, by its SHA-256. */
export function placeIn(file: string): Place | null {
  return useChosen.getState()['pdf.places'].find(([known]) => known === file)?.[1] ?? null;
}

/** Where the file read last stands, as long as it is not stored. */
let waiting: { readonly file: string; readonly timer: ReturnType<typeof setTimeout>; store(): void } | null =
  null;

/** Remembers where a file is left; what changes with every page turned is stored once it rests, or is left for another file. */
export function keepPlace(file: string, place: Place): void {
  if (waiting) clearTimeout(waiting.timer);
  if (waiting && waiting.file !== file) waiting.store();
  const store = () => {
    waiting = null;
    const others = useChosen.getState()['pdf.places'].filter(([known]) => known !== file);
    choose('pdf.places', [[file, place] satisfies [string, Place], ...others].slice(0, MOST));
  };
  waiting = { file, timer: setTimeout(store, PAUSE_MS), store };
}
