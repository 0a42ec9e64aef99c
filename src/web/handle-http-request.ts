import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type AppHost, createPageHeaders, type openWindowAssets } from '../host/index.ts';
import { getBearerToken, getHeaderValues } from './access-control.ts';
import type { createAccessTokens } from './access-tokens.ts';

export interface HttpRequestContext {
  readonly host: AppHost;
  readonly pages: ReturnType<typeof openWindowAssets>;
  readonly tokens: ReturnType<typeof createAccessTokens>;
}

/** Responds to a permitted request with the session token, a one-time file or a file of the window. */
export async function handleHttpRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { host, pages, tokens }: HttpRequestContext,
): Promise<void> {
  const hostName = getHeaderValues(request, 'host')[0];
  const headers = createPageHeaders(`ws://${hostName}`);
  const [pathname = ''] = (request.url ?? '').split(/[?#]/, 1);
  const answerText = (status: number, text: string) =>
    response.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(text);

  if (pathname === '/session') {
    if (!tokens.redeem(getBearerToken(request)))
      return void answerText(401, 'Open the address that Tieout printed.');
    response.setHeader('cache-control', 'no-store');
    return void answerText(200, tokens.session);
  }
  if (pathname.startsWith('/blob/')) {
    if (!tokens.isSession(getBearerToken(request)))
      return void answerText(401, 'Open the address that Tieout printed.');
    const offered = await host.blobs.take(pathname.slice('/blob/'.length));
    if (!offered) return void answerText(404, 'This file is no longer available.');
    response.writeHead(200, {
      ...headers,
      'cache-control': 'no-store',
      'content-type': offered.type,
      'content-length': offered.bytes,
      'content-disposition': 'attachment',
    });
    return await pipeline(offered.stream, response);
  }
  const page = await pages.get(pathname);
  if (!page) return void answerText(404, 'Not found.');
  const cacheControl = page.isCacheable ? 'max-age=31536000, immutable' : 'no-cache';
  response
    .writeHead(200, { ...headers, 'cache-control': cacheControl, 'content-type': page.type })
    .end(page.body);
}
