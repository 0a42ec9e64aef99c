import { basename, extname, join } from 'node:path';
import type { SaveDialogOptions } from 'electron';
import { loadOutputWriter } from '../host/output-file.ts';

interface SaveFileContext {
  /** The app's data directory, in which nothing may be saved. */
  readonly home: string;
  /** Folder that the dialog suggests. */
  readonly downloads: string;
  showDialog(options: SaveDialogOptions): Promise<{ canceled: boolean; filePath: string }>;
}

/** File that is written in pieces and appears once it is complete. All functions throw `storage` and `disk_full`. */
export interface FileBeingSaved {
  append(piece: Uint8Array): Promise<void>;
  /** Completes the file and returns its path. */
  finish(): Promise<string>;
  /** Stops writing and deletes everything written so far. */
  discard(): Promise<void>;
}

/**
 * Asks the user for a location and starts a file there. Returns null if the user cancels. @throws `storage` if the file
 * would be in the data directory
 */
export async function startSavingFile(
  name: string,
  { home, downloads, showDialog }: SaveFileContext,
): Promise<FileBeingSaved | null> {
  const safeName = toSafeFileName(name);
  const extension = extname(safeName).slice(1);
  const { canceled, filePath } = await showDialog({
    title: `Save ${safeName}`,
    defaultPath: join(downloads, safeName),
    ...(extension && { filters: [{ name: extension.toUpperCase(), extensions: [extension] }] }),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
  if (canceled || !filePath) return null;
  const { resolveOutputFile, writeOutputFile } = await loadOutputWriter();
  // If the file exists, the dialog has already asked whether to replace it.
  const output = resolveOutputFile(filePath, { home, replace: true });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const written = writeOutputFile(output, readable);
  // Ignores the rejection here, because the next call reports the error.
  written.catch(() => undefined);
  return {
    async append(piece) {
      await Promise.race([writer.write(piece), written]);
    },
    async finish() {
      await Promise.race([writer.close(), written]);
      await written;
      return filePath;
    },
    async discard() {
      await writer.abort().catch(() => undefined);
      await written.catch(() => undefined);
    },
  };
}

/** Returns a name without folders and without characters that Windows does not allow. */
function toSafeFileName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not allowed in names.
  return basename(name.replaceAll('\\', '/')).replace(/[<>:"|?*\u0000-\u001f]/g, '_') || 'tieout';
}
