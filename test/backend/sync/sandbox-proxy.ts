import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { SITE, type WriterTestSite } from '../writer-test-site.ts';

/** Hooks of a proxy between the app and the sandbox. */
export interface ProxyHooks {
  /** Changes the URL of a request. */
  changeUrl?(url: URL): void;
  /** Changes the JSON body of an answer. */
  changeBody?(path: string, body: string): string;
  /** Delays a request until the returned promise settles. */
  delayRequest?(path: string): Promise<void>;
}

/** Routes the site's requests through a proxy with these hooks. */
export async function proxySandbox(
  bench: WriterTestSite,
  { changeUrl, changeBody, delayRequest }: ProxyHooks,
): Promise<void> {
  const server = createServer((asked: IncomingMessage, reply: ServerResponse) => {
    const url = new URL(asked.url ?? '', bench.sandbox.url);
    const path = url.pathname + url.search;
    changeUrl?.(url);
    const onward = async () => {
      await delayRequest?.(path);
      const { 'accept-encoding': _, ...headers } = asked.headers;
      const sent = request(url, { method: asked.method, headers }, async (came) => {
        const { 'content-length': __, ...rest } = came.headers;
        const pieces: Buffer[] = [];
        for await (const piece of came) pieces.push(piece as Buffer);
        const body = Buffer.concat(pieces);
        reply.writeHead(came.statusCode ?? 500, rest);
        reply.end(
          changeBody === undefined || came.statusCode !== 200 ? body : changeBody(path, body.toString()),
        );
      });
      sent.on('error', () => reply.destroy());
      asked.pipe(sent);
    };
    void onward();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await bench.client.sites.update({ site: SITE, base_url });
}
