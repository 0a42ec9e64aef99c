import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useWindowShell } from './window-shell.ts';

export interface FileToSave {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  /** Media type, for example `application/pdf`. */
  readonly type: string;
}

/** Part of the File System Access API, which TypeScript's DOM types do not contain. Firefox and Safari lack it. */
declare global {
  interface Window {
    showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
  }
}

/**
 * Asks for a place and saves a file there. Shows a notice once it is saved, and none if the user cancels. A browser without
 * a save dialog downloads the file instead.
 * @throws if the file cannot be written
 */
export async function saveFile(file: FileToSave): Promise<void> {
  const { bytes, name, type } = file;
  const { shell } = useWindowShell.getState();
  const saved = shell
    ? (await shell.save({ name, file: new Blob([bytes], { type }) })).path
    : await saveInBrowser(file);
  if (saved !== null) showNotice(texts.saving.saved(saved), 'good');
}

/** Returns the name of the saved file; null if the user canceled or the browser downloads the file. */
async function saveInBrowser(file: FileToSave): Promise<string | null> {
  let handle: FileSystemFileHandle | undefined;
  try {
    handle = await window.showSaveFilePicker?.({ suggestedName: file.name });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // The browser allows the dialog only shortly after a click, so a slow export may miss it.
  }
  if (!handle) {
    downloadFile(file);
    showNotice(texts.saving.downloading(file.name));
    return null;
  }
  const writable = await handle.createWritable();
  await writable.write(file.bytes);
  await writable.close();
  return handle.name;
}

function downloadFile({ bytes, name, type }: FileToSave): void {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
