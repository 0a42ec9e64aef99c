import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useWindowShell } from './window-shell.ts';

export interface FileToSave {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  /** Media type, for example `application/pdf`. */
  readonly type: string;
}

/** File that is being written to the location chosen by the user. */
interface SaveTarget {
  append(piece: Uint8Array<ArrayBuffer>): Promise<unknown>;
  /** Completes the file. Returns a sentence with its location. */
  finish(): Promise<string>;
  /** Discards everything written so far. */
  discard(): Promise<unknown>;
}

/** Part of the File System Access API, which TypeScript's DOM types do not contain. Firefox and Safari lack it. */
declare global {
  interface Window {
    showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
  }
}

/** Asks the user for a location and saves a file there, as `saveStream` does. */
export async function saveFile({ bytes, ...file }: FileToSave): Promise<void> {
  await saveStream(file, () => [bytes]);
}

/**
 * Asks the user for a location, writes the pieces of a file there as they are produced, and then shows a notice. A
 * browser without a save dialog downloads the file instead.
 * @throws if a piece cannot be produced or written. The incomplete file is discarded.
 */
export async function saveStream(
  file: Pick<FileToSave, 'name' | 'type'>,
  produce: () =>
    | Iterable<Uint8Array<ArrayBuffer>>
    | AsyncIterable<Uint8Array<ArrayBuffer>>
    | Promise<AsyncIterable<Uint8Array<ArrayBuffer>>>,
): Promise<void> {
  const target = await openSaveTarget(file);
  if (target === null) return;
  try {
    for await (const piece of await produce()) await target.append(piece);
    showNotice(await target.finish(), 'good');
  } catch (error) {
    await target.discard().catch(() => undefined);
    throw error;
  }
}

/** Returns null if the user canceled. */
function openSaveTarget(file: Pick<FileToSave, 'name' | 'type'>): Promise<SaveTarget | null> {
  return useWindowShell.getState().shell ? openShellTarget(file.name) : openBrowserTarget(file);
}

async function openShellTarget(name: string): Promise<SaveTarget | null> {
  const { shell } = useWindowShell.getState();
  const id = (await shell?.startSaving({ name }))?.id;
  if (!shell || !id) return null;
  return {
    append: (piece) => shell.appendToFile({ id, piece: new Blob([piece]) }),
    finish: async () => texts.saving.saved((await shell.finishSaving({ id })).path),
    discard: () => shell.discardFile({ id }),
  };
}

async function openBrowserTarget({
  name,
  type,
}: Pick<FileToSave, 'name' | 'type'>): Promise<SaveTarget | null> {
  let handle: FileSystemFileHandle | undefined;
  try {
    handle = await window.showSaveFilePicker?.({ suggestedName: name });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // The browser allows the dialog only shortly after a click, so a slow export may miss it.
  }
  if (!handle) return createDownload(name, type);
  const { name: savedName } = handle;
  const writable = await handle.createWritable();
  return {
    append: (piece) => writable.write(piece),
    finish: async () => {
      await writable.close();
      return texts.saving.saved(savedName);
    },
    discard: () => writable.abort(),
  };
}

/** Collects the pieces as blobs, which the browser stores outside the page's memory, and downloads them together. */
function createDownload(name: string, type: string): SaveTarget {
  const pieces: Blob[] = [];
  return {
    append: async (piece) => pieces.push(new Blob([piece])),
    finish: async () => {
      const url = URL.createObjectURL(new Blob(pieces, { type }));
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      return texts.saving.downloading(name);
    },
    discard: async () => undefined,
  };
}
