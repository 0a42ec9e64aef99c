import { changeSetting, useUserSettings } from '../user-settings/user-settings.ts';
import type { PdfPosition } from './pdf-reader.ts';

/** Maximum number of remembered files. The least recently read one is dropped first. */
const MAX_SAVED_FILES = 200;
const SAVE_DEBOUNCE_MS = 800;

/** Returns the last position in a file, by its SHA-256. */
export function savedPosition(file: string): PdfPosition | null {
  return useUserSettings.getState()['pdf.places'].find(([known]) => known === file)?.[1] ?? null;
}

/** Position that has not been stored yet. */
let pendingSave: {
  readonly file: string;
  readonly timer: ReturnType<typeof setTimeout>;
  store(): void;
} | null = null;

/** Stores the position in a file once it has not changed for a while, or immediately if another file is opened. */
export function savePositionSoon(file: string, place: PdfPosition): void {
  if (pendingSave) clearTimeout(pendingSave.timer);
  if (pendingSave && pendingSave.file !== file) pendingSave.store();
  const store = () => {
    pendingSave = null;
    const others = useUserSettings.getState()['pdf.places'].filter(([known]) => known !== file);
    changeSetting(
      'pdf.places',
      [[file, place] satisfies [string, PdfPosition], ...others].slice(0, MAX_SAVED_FILES),
    );
  };
  pendingSave = { file, timer: setTimeout(store, SAVE_DEBOUNCE_MS), store };
}
