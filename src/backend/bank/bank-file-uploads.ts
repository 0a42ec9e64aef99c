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
import { createNonRetryableError } from '../../contract/index.ts';
// Imported directly, because the index module would load all parsers, which most commands do not need.
import { MAX_FILE_BYTES } from '../../domain/bankfiles/model/limits.ts';
import { flushFolderToDisk } from '../shared/durable-file.ts';
import { getHashPath } from '../shared/hash-path.ts';

/** Maximum number of uploads. The oldest is deleted first. */
const MAX_UPLOADS = 20;

export interface BankFileUpload {
  readonly id: string;
  readonly site: string;
  readonly name: string;
  readonly path: string;
  bytes: number;
}

/** Uploaded files that have not been imported yet. They are received in pieces and stored in the site's folder. */
export class BankFileUploads {
  readonly #uploads = new Map<string, BankFileUpload>();

  /** Returns an upload. Throws `not_found`. */
  get(site: string, id: string): BankFileUpload {
    const upload = this.#uploads.get(id);
    if (upload?.site === site && existsSync(upload.path)) return upload;
    const message = 'The uploaded file is no longer available.';
    throw createNonRetryableError('not_found', message, 'Choose the file again.');
  }

  /** Adds a piece to an upload, or to a new one without an id. Throws `not_found`, and `validation` for large files. */
  addPiece(
    folder: string,
    piece: { site: string; upload?: string | undefined; name: string; data: string },
  ): BankFileUpload {
    const { site, upload: id, name } = piece;
    const upload = id === undefined ? this.#start(folder, site, name) : this.get(site, id);
    const data = Buffer.from(piece.data, 'base64');
    if (upload.bytes + data.length > MAX_FILE_BYTES) {
      this.#remove(upload);
      throw createNonRetryableError(
        'validation',
        `${upload.name} is larger than ${MAX_FILE_BYTES / 1_000_000} MB.`,
        'Export shorter periods from the bank and import them separately.',
      );
    }
    appendFileSync(upload.path, data, { mode: 0o600 });
    upload.bytes += data.length;
    return upload;
  }

  #start(folder: string, site: string, name: string): BankFileUpload {
    const id = randomBytes(12).toString('hex');
    const upload = { id, site, name, path: createUploadPath(folder, id), bytes: 0 };
    this.#uploads.set(id, upload);
    const [oldest] = this.#uploads.values();
    if (this.#uploads.size > MAX_UPLOADS && oldest !== undefined) this.#remove(oldest);
    return upload;
  }

  #remove({ id, path }: BankFileUpload): void {
    this.#uploads.delete(id);
    rmSync(path, { force: true });
  }
}

const incomingFolder = (folder: string) => join(folder, 'sources', 'incoming');

/** Returns the path of an upload that has not been imported yet. Creates its folder. */
export function createUploadPath(folder: string, id: string): string {
  const path = join(incomingFolder(folder), `${process.pid}-${id}`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** Deletes uploads that ended processes never imported. */
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

/** Returns the path of a source file in a site's folder. Its name is its SHA-256. Throws `corrupt` for any other text. */
export function getSourceFilePath(folder: string, sha256: string): string {
  return join(folder, 'sources', getHashPath(sha256));
}

/** Returns true if a source file of this size is stored. */
export function isSourceFileStored(
  folder: string,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
): boolean {
  return statSync(getSourceFilePath(folder, sha256), { throwIfNoEntry: false })?.size === bytes;
}

/** Moves an uploaded file to its permanent path after flushing it to disk. */
export function storeSourceFile(folder: string, upload: BankFileUpload, sha256: string): void {
  if (isSourceFileStored(folder, { sha256, bytes: upload.bytes })) return;
  const path = getSourceFilePath(folder, sha256);
  const file = openSync(upload.path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  renameSync(upload.path, path);
  flushFolderToDisk(dirname(path));
  flushFolderToDisk(join(folder, 'sources'));
}
