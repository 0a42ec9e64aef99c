import { randomBytes } from 'node:crypto';
import { constants, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { createNonRetryableError, type OneTimeFileHandle } from '../contract/index.ts';

/** One-time files: files in the data directory, each of which the window can read once. */
export type OneTimeFiles = ReturnType<typeof createOneTimeFiles>;

export interface OneTimeFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly stream: Readable;
}

interface Offer extends Pick<OneTimeFile, 'name' | 'type'> {
  readonly path: string;
  /** Device and inode of the file when it was offered. */
  readonly identity: string;
  readonly expiresAt: number;
}

const OFFER_LIFETIME_MS = 10 * 60_000;
/** Maximum number of unread offers. The oldest offers are removed first. Chosen by judgment. */
const MAX_OFFERS = 1000;
const PLAIN_TYPE = /^[a-z]+\/[a-z0-9.+-]+$/;

export function createOneTimeFiles(home: string, now: () => number = Date.now) {
  const root = realpathSync(home);
  const offers = new Map<string, Offer>();

  function removeOldOffers() {
    for (const [id, offer] of offers) {
      if (offer.expiresAt > now() && offers.size < MAX_OFFERS) break;
      offers.delete(id);
    }
  }

  return {
    /** Offers a file for one read. Throws `not_found` if it is not a regular file in the data directory. */
    offer({ path, name, type }: { path: string; name: string; type: string }): OneTimeFileHandle {
      const file = resolveInside(root, path);
      removeOldOffers();
      const id = randomBytes(24).toString('base64url');
      const mediaType = PLAIN_TYPE.test(type) ? type : 'application/octet-stream';
      offers.set(id, { ...file, name, type: mediaType, expiresAt: now() + OFFER_LIFETIME_MS });
      return { blob: id, name, type: mediaType, bytes: file.bytes };
    },
    /** Returns an offered file once, or null if it was read, has expired or was replaced. */
    async take(id: string): Promise<OneTimeFile | null> {
      const offer = offers.get(id);
      offers.delete(id);
      if (!offer || offer.expiresAt <= now()) return null;
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
      const handle = await open(offer.path, flags).catch(() => null);
      if (!handle) return null;
      const stats = await handle.stat();
      if (!stats.isFile() || getFileIdentity(stats) !== offer.identity) {
        await handle.close();
        return null;
      }
      const { name, type } = offer;
      return { name, type, bytes: stats.size, stream: handle.createReadStream() };
    },
  };
}

/** Returns the real file at a path. After following links, it must be inside the root. */
function resolveInside(root: string, path: string) {
  try {
    const real = realpathSync(resolve(root, path));
    const relativePath = relative(root, real);
    const stats = statSync(real);
    const isOutside = ['', '..'].includes(relativePath) || relativePath.startsWith(`..${sep}`);
    if (!isOutside && resolve(root, relativePath) === real && stats.isFile())
      return { path: real, bytes: stats.size, identity: getFileIdentity(stats) };
  } catch {
    // Reports a missing file in the same way as a file outside the root.
  }
  throw createNonRetryableError('not_found', 'The file does not exist in the data directory.');
}

const getFileIdentity = ({ dev, ino }: { dev: number; ino: number }): string => `${dev}:${ino}`;
