import { changeUserSetting, useUserSettings } from '../user-settings/user-settings.ts';
import type { PdfPosition } from './pdf-reader.ts';

/** Maximum number of files with a stored position, chosen by judgment. The least recently read file is removed. */
const MAX_SAVED_FILES = 200;
const SAVE_DEBOUNCE_MS = 800;

/** Returns the last reading position in the file with this SHA-256. */
export function getSavedPdfPosition(file: string): PdfPosition | null {
  return useUserSettings.getState()['pdf.places'].find(([known]) => known === file)?.[1] ?? null;
}

/** Reading position that has not been stored yet. */
let pendingSave: {
  readonly file: string;
  readonly timer: ReturnType<typeof setTimeout>;
  store(): void;
} | null = null;

/** Stores the reading position in a file once it has not changed for a while, or when another file is opened. */
export function savePdfPositionDebounced(file: string, position: PdfPosition): void {
  if (pendingSave) clearTimeout(pendingSave.timer);
  if (pendingSave && pendingSave.file !== file) pendingSave.store();
  const store = () => {
    pendingSave = null;
    const others = useUserSettings.getState()['pdf.places'].filter(([known]) => known !== file);
    changeUserSetting(
      'pdf.places',
      [[file, position] satisfies [string, PdfPosition], ...others].slice(0, MAX_SAVED_FILES),
    );
  };
  pendingSave = { file, timer: setTimeout(store, SAVE_DEBOUNCE_MS), store };
}
