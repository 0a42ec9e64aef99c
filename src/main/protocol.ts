import { Readable } from 'node:stream';
import type { CustomScheme, Protocol } from 'electron';
import { type Blobs, type Pages, pageHeaders } from '../host/index.ts';
import { isOwnUrl, ORIGIN, SCHEME } from './own.ts';

/** A standard, secure origin that may fetch from itself, without further privileges. */
export const APP_SCHEME: CustomScheme = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
};

/** Handles `app://tieout/…`: the window's files, and one-time files at `/blob/<id>`. Every answer carries the policy. */
export function createAppHandler({ pages, blobs }: { pages: Pages; blobs: Blobs }) {
  return async (request: Pick<Request, 'url' | 'method'>): Promise<Response> => {
    if (!isOwnUrl(request.url)) return plain(404);
    if (request.method !== 'GET') return plain(405);
    // `new URL` would normalize `..` and `%2e%2e` before they can be detected.
    const [pathname = ''] = request.url.slice(ORIGIN.length).split(/[?#]/, 1);
    if (pathname.startsWith('/blob/')) {
      const offered = await blobs.take(pathname.slice('/blob/'.length));
      if (!offered) return plain(404);
      const length = String(offered.bytes);
      return new Response(Readable.toWeb(offered.stream) as ReadableStream<Uint8Array>, {
        headers: { ...pageHeaders(), 'content-type': offered.type, 'content-length': length },
      });
    }
    const page = await pages.get(pathname);
    if (!page) return plain(404);
    return new Response(page.body, { headers: { ...pageHeaders(), 'content-type': page.type } });
  };
}

/** Handles the app's scheme and blocks `file:`. */
export function installProtocol(
  protocol: Pick<Protocol, 'handle'>,
  handler: (request: Request) => Promise<Response>,
): void {
  protocol.handle(SCHEME, handler);
  protocol.handle('file', () => plain(404));
}

function plain(status: 404 | 405): Response {
  const headers = { ...pageHeaders(), 'content-type': 'text/plain; charset=utf-8' };
  return new Response(status === 404 ? 'Not here.' : 'Only reading is served here.', { status, headers });
}
