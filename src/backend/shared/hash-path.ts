import { join } from 'node:path';
import { createNonRetryableError, field } from '../../contract/index.ts';

/**
 * Returns the relative path of a file that is stored under its SHA-256. Throws `corrupt` for any other text, because a
 * restored backup could name a file outside the folder.
 */
export function getHashPath(sha256: string): string {
  if (field.sha256.safeParse(sha256).success) return join(sha256.slice(0, 2), sha256);
  throw createNonRetryableError(
    'corrupt',
    `The SHA-256 of a stored file is invalid: ${JSON.stringify(sha256.slice(0, 80))}.`,
    'Restore an intact backup of the books.',
  );
}
