import { randomUUID } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNonRetryableError, type WindowEvent } from '../../contract/index.ts';
import { LINK_SCHEME } from './app-link.ts';

/** Maximum size of a bank file in bytes, equal to the limit of an import. */
export const MAX_BANK_FILE_BYTES = 64_000_000;

/**
 * Returns the absolute paths of the files among command-line arguments. Linux desktops pass `file:` URLs. Relative
 * paths refer to `folder`, the working directory of the started program. A command line with a link opens no files,
 * because any web page can choose the text of a link.
 */
export function findFileArguments(argv: readonly string[], folder: string): string[] {
  const given = argv.slice(1).filter((argument) => argument !== '' && !argument.startsWith('-'));
  if (given.some((argument) => argument.toLowerCase().startsWith(`${LINK_SCHEME}:`))) return [];
  return given.flatMap((argument) => {
    const path = toFilePath(argument);
    return path === null ? [] : [resolve(folder, path)];
  });
}

/** Returns the path of a `file:` URL or of a path. Null for a URL that names no file on this computer. */
function toFilePath(argument: string): string | null {
  if (!argument.toLowerCase().startsWith('file:')) return argument;
  try {
    return fileURLToPath(argument);
  } catch {
    return null;
  }
}

/** Window event that opens a file, or shows why the file cannot be opened. */
export type FileEvent = Extract<WindowEvent, { kind: 'bankFile' | 'pack' | 'fileProblem' }>;

/** Files that the user opened from the system. A page can read only these files. */
export interface OpenedFiles {
  /**
   * Returns the event that opens a file in the page. A ZIP file is verified as an evidence pack or export; any other
   * file is previewed as a bank file. Returns null for a folder, because a checkout passes its own folder as an
   * argument.
   */
  open(path: string): FileEvent | null;
  /** Returns the contents of a bank file, once. @throws `not_found` if already read, `storage` if unreadable */
  take(id: string): Promise<Uint8Array>;
}

export function createOpenedFiles(): OpenedFiles {
  const bankFiles = new Map<string, string>();
  return {
    open(path) {
      const stats = inspectPath(path);
      if (stats?.isDirectory()) return null;
      const isPack = extname(path).toLowerCase() === '.zip';
      const message = findProblem(path, stats, isPack ? Number.POSITIVE_INFINITY : MAX_BANK_FILE_BYTES);
      if (message !== null) return { kind: 'fileProblem', message };
      if (isPack) return { kind: 'pack', path };
      const id = randomUUID();
      bankFiles.set(id, path);
      return { kind: 'bankFile', id, name: basename(path) };
    },
    async take(id) {
      const path = bankFiles.get(id);
      bankFiles.delete(id);
      if (path === undefined) throw createNonRetryableError('not_found', 'The file was already read.');
      // The file may have changed since it was opened.
      const message = findProblem(path, inspectPath(path), MAX_BANK_FILE_BYTES);
      if (message !== null) throw createNonRetryableError('storage', message);
      try {
        return await readFile(path);
      } catch (error) {
        throw createNonRetryableError('storage', `${path} could not be read: ${(error as Error).message}`);
      }
    },
  };
}

/** Returns the properties of the file at an absolute path, or null if they cannot be read. */
function inspectPath(path: string): Stats | null {
  try {
    return isAbsolute(path) ? statSync(path) : null;
  } catch {
    return null;
  }
}

/** Returns why a file cannot be opened, or null. Refuses pipes and devices, because reading them may block. */
function findProblem(path: string, stats: Stats | null, maxBytes: number): string | null {
  if (stats === null) return `${path} was not found. Check whether it was moved or renamed.`;
  if (!stats.isFile()) return `${path} is not a file.`;
  if (stats.size <= maxBytes) return null;
  return `${path} is larger than ${maxBytes / 1_000_000} MB. Export shorter periods from the bank.`;
}
