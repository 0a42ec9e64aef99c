import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { contractError } from '../../contract/index.ts';
// Imported from its own file, because the index would load the parsers, which most commands do not need.
import { MAX_FILE_BYTES } from '../../domain/bankfiles/model/limits.ts';
import { syncFolder } from '../shared/durable-file.ts';

/** Maximum number of uploads. The oldest is deleted first. */
const MAX_UPLOADS = 20;

export interface Upload {
  readonly id: string;
  readonly site: string;
  readonly name: string;
  readonly path: string;
  bytes: number;
}

/** Uploaded files that have not been imported yet. They are received in pieces and stored in the site's folder. */
export interface Uploads {
  /**
   * Adds a piece to an upload, or starts a new upload if none is named. Throws `not_found`, and `validation` if the file
   * is too large.
   */
  addPiece(
    folder: string,
    piece: { site: string; upload?: string | undefined; name: string; data: string },
  ): Upload;
  /** Returns an upload. Throws `not_found`. */
  get(site: string, upload: string): Upload;
}

export function createUploads(): Uploads {
  const uploads = new Map<string, Upload>();

  function get(site: string, id: string): Upload {
    const upload = uploads.get(id);
    if (upload?.site === site && existsSync(upload.path)) return upload;
    throw contractError({
      code: 'not_found',
      message: 'The file that was handed over is not here any more.',
      hint: 'Choose the file again.',
      retryable: false,
    });
  }

  function startUpload(folder: string, site: string, name: string): Upload {
    const id = randomBytes(12).toString('hex');
    const path = uploadPath(folder, id);
    const upload = { id, site, name, path, bytes: 0 };
    uploads.set(id, upload);
    const [oldest] = uploads.values();
    if (uploads.size > MAX_UPLOADS && oldest !== undefined) {
      uploads.delete(oldest.id);
      rmSync(oldest.path, { force: true });
    }
    return upload;
  }

  return {
    get,
    addPiece(folder, { site, upload: id, name, data }) {
      const upload = id === undefined ? startUpload(folder, site, name) : get(site, id);
      const piece = Buffer.from(data, 'base64');
      if (upload.bytes + piece.length > MAX_FILE_BYTES) {
        uploads.delete(upload.id);
        rmSync(upload.path, { force: true });
        throw contractError({
          code: 'validation',
          message: `${upload.name} is larger than ${MAX_FILE_BYTES / 1_000_000} MB.`,
          hint: 'Export a shorter span from the bank, and import the parts.',
          retryable: false,
        });
      }
      appendFileSync(upload.path, piece, { mode: 0o600 });
      upload.bytes += piece.length;
      return upload;
    },
  };
}

const incomingFolder = (folder: string) => join(folder, 'sources', 'incoming');

/** Returns the path of an upload that has not been imported yet. Creates its folder. */
export function uploadPath(folder: string, id: string): string {
  const path = join(incomingFolder(folder), `${process.pid}-${id}`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** Deletes uploads of ended processes that were never imported. */
export function clearAbandonedUploads(folder: string): void {
  const incoming = incomingFolder(folder);
  if (!existsSync(incoming)) return;
  for (const name of readdirSync(incoming)) {
    if (!isAlive(Number(name.split('-')[0]))) rmSync(join(incoming, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns the path of an imported source file in a site's folder. The file name is its SHA-256. */
export function sourceFilePath(folder: string, sha256: string): string {
  return join(folder, 'sources', sha256.slice(0, 2), sha256);
}

/** Moves an uploaded file to its permanent path after flushing it to disk. */
export function storeSourceFile(folder: string, upload: Upload, sha256: string): void {
  const path = sourceFilePath(folder, sha256);
  if (existsSync(path) && statSync(path).size === upload.bytes) return;
  const file = openSync(upload.path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  renameSync(upload.path, path);
  syncFolder(dirname(path));
  syncFolder(join(folder, 'sources'));
}
