import { basename, extname, isAbsolute, join, relative, sep } from 'node:path';
import type { SaveDialogOptions } from 'electron';
import { createNonRetryableError } from '../contract/index.ts';

interface SaveFileContext {
  /** The app's data directory. Nothing may be saved there. */
  readonly home: string;
  /** Folder suggested by the dialog. */
  readonly downloads: string;
  showDialog(options: SaveDialogOptions): Promise<{ canceled: boolean; filePath: string }>;
  write(path: string, bytes: Uint8Array): Promise<void>;
}

/**
 * Asks for a place and saves a file there. Returns its path; null if the user canceled.
 * @throws `storage` if the file cannot be written or would be in the data directory
 */
export async function saveFile(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  { home, downloads, showDialog, write }: SaveFileContext,
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
  if (isWithin(home, filePath)) {
    const advice = 'Choose another folder.';
    throw createNonRetryableError('storage', `${filePath} is in Tieout’s own data directory.`, advice);
  }
  try {
    await write(filePath, bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw createNonRetryableError(
      'storage',
      `${filePath} could not be saved: ${reason}`,
      'Choose another folder.',
    );
  }
  return filePath;
}

/** Returns a name without folders and without characters that Windows does not allow. */
function toSafeFileName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not allowed in names.
  return basename(name.replaceAll('\\', '/')).replace(/[<>:"|?*\u0000-\u001f]/g, '_') || 'tieout';
}

function isWithin(folder: string, path: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder !== '..' && !fromFolder.startsWith(`..${sep}`) && !isAbsolute(fromFolder);
}
