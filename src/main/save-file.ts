import { basename, extname, join } from 'node:path';
import type { SaveDialogOptions } from 'electron';
import { loadOutputWriter } from '../host/output-file.ts';

interface SaveFileContext {
  /** The app's data directory, in which nothing may be saved. */
  readonly home: string;
  /** Folder suggested by the dialog. */
  readonly downloads: string;
  showDialog(options: SaveDialogOptions): Promise<{ canceled: boolean; filePath: string }>;
}

/**
 * Asks the user for a location and saves a file there. Returns the file's path; null if the user canceled. @throws
 * `storage` if the file cannot be written or would be in the data directory
 */
export async function saveFile(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  { home, downloads, showDialog }: SaveFileContext,
): Promise<string | null> {
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
  await writeOutputFile(resolveOutputFile(filePath, { home, replace: true }), [bytes]);
  return filePath;
}

/** Returns a name without folders and without characters that Windows does not allow. */
function toSafeFileName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not allowed in names.
  return basename(name.replaceAll('\\', '/')).replace(/[<>:"|?*\u0000-\u001f]/g, '_') || 'tieout';
}
