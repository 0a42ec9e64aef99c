import { Readable } from 'node:stream';
import type { CustomScheme, Protocol } from 'electron';
import { createPageHeaders, type OneTimeFiles, type WindowAssets } from '../host/index.ts';
import { APP_ORIGIN, APP_SCHEME_NAME, isAppUrl } from './app-origin.ts';

/** The app's scheme: a standard, secure origin that may fetch from itself. Compiled scripts are cached. */
export const APP_SCHEME: CustomScheme = {
  scheme: APP_SCHEME_NAME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
};

/** Creates the handler for `app://tieout/…`, which serves the window's files, and one-time files at `/blob/<id>`. */
export function createAppHandler({
  pages,
  blobs,
}: {
  pages: WindowAssets;
  blobs: Pick<OneTimeFiles, 'take'>;
}) {
  return async (request: Pick<Request, 'url' | 'method'>): Promise<Response> => {
    if (!isAppUrl(request.url)) return createTextResponse(404);
    if (request.method !== 'GET') return createTextResponse(405);
    // `new URL` would normalize `..` and `%2e%2e` before they can be detected.
    const [pathname = ''] = request.url.slice(APP_ORIGIN.length).split(/[?#]/, 1);
    if (pathname.startsWith('/blob/')) {
      const offered = await blobs.take(pathname.slice('/blob/'.length));
      if (!offered) return createTextResponse(404);
      const length = String(offered.bytes);
      return new Response(Readable.toWeb(offered.stream) as ReadableStream<Uint8Array>, {
        headers: { ...createPageHeaders(), 'content-type': offered.type, 'content-length': length },
      });
    }
    const page = await pages.get(pathname);
    if (!page) return createTextResponse(404);
    return new Response(page.body, { headers: { ...createPageHeaders(), 'content-type': page.type } });
  };
}

/** Registers the handler of the app's scheme and blocks `file:`. */
export function installProtocol(
  protocol: Pick<Protocol, 'handle'>,
  handler: (request: Request) => Promise<Response>,
): void {
  protocol.handle(APP_SCHEME_NAME, handler);
  protocol.handle('file', () => createTextResponse(404));
}

function createTextResponse(status: 404 | 405): Response {
  const headers = { ...createPageHeaders(), 'content-type': 'text/plain; charset=utf-8' };
  return new Response(status === 404 ? 'Not found.' : 'Only GET requests are allowed.', { status, headers });
}
