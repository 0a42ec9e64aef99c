import { randomBytes } from 'node:crypto';
import { constants, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { type Blob, contractError } from '../contract/index.ts';

/** One-time files: files under the home directory, each served to the window once. */
export interface Blobs {
  /** Offers a file. @throws `not_found` if it is no regular file under the home directory. */
  offer(file: { path: string; name: string; type: string }): Blob;
  /** Returns the bytes once. Returns null after that, when the offer has expired, or if the file has changed. */
  take(id: string): Promise<Offered | null>;
}

export interface Offered {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly stream: Readable;
}

interface Offer {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  /** Identity of the file when it was offered. */
  readonly identity: string;
  readonly until: number;
}

const LIFE_MS = 10 * 60_000;
/** Maximum number of unread offers. The oldest are dropped first. */
const MOST = 1000;
const PLAIN_TYPE = /^[a-z]+\/[a-z0-9.+-]+$/;

export function createBlobs(home: string, now: () => number = Date.now): Blobs {
  const root = realpathSync(home);
  const offers = new Map<string, Offer>();

  function forgetOld() {
    for (const [id, offer] of offers) {
      if (offer.until > now() && offers.size < MOST) break;
      offers.delete(id);
    }
  }

  return {
    offer({ path, name, type }) {
      const file = inside(root, path);
      forgetOld();
      const id = randomBytes(24).toString('base64url');
      const kept = PLAIN_TYPE.test(type) ? type : 'application/octet-stream';
      offers.set(id, { path: file.path, name, type: kept, identity: file.identity, until: now() + LIFE_MS });
      return { blob: id, name, type: kept, bytes: file.bytes };
    },
    async take(id) {
      const offer = offers.get(id);
      offers.delete(id);
      if (!offer || offer.until <= now()) return null;
      const handle = await open(offer.path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(
        () => null,
      );
      if (!handle) return null;
      const stats = await handle.stat();
      if (!stats.isFile() || identityOf(stats) !== offer.identity) {
        await handle.close();
        return null;
      }
      const { name, type } = offer;
      return { name, type, bytes: stats.size, stream: handle.createReadStream() };
    },
  };
}

/** Returns the real file behind a path. It must be under the root after following links. */
function inside(root: string, path: string) {
  try {
    const real = realpathSync(resolve(root, path));
    const way = relative(root, real);
    const stats = statSync(real);
    if (
      way !== '' &&
      way !== '..' &&
      !way.startsWith(`..${sep}`) &&
      resolve(root, way) === real &&
      stats.isFile()
    ) {
      return { path: real, bytes: stats.size, identity: identityOf(stats) };
    }
  } catch {
    // Not there, which is the same to whoever asks.
  }
  throw contractError({
    code: 'not_found',
    message: 'There is no such file in the data directory.',
    retryable: false,
  });
}

function identityOf({ dev, ino }: { dev: number; ino: number }): string {
  return `${dev}:${ino}`;
}
