import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import type { Host } from '../host/index.ts';
import { type OpenOptions, serveWeb } from '../web/index.ts';
import { root } from './built.ts';

/**
 * Serves the window from its source, as it is edited. Vite stands before the browser host and hands on what is the backend's, in the
 * name of the host's own page; the host's guard stays as strict as it is.
 */
export async function openForEditing(host: Host, { rendererDir, say, stop }: OpenOptions): Promise<void> {
  const web = await serveWeb(host, { rendererDir });
  const target = `http://127.0.0.1:${web.port}`;
  const toHost = { target, changeOrigin: true, headers: { origin: target } };
  const config = (await import('../../electron.vite.config.ts')).default;
  const { renderer = {} } = config as { renderer?: object };
  const server = await createServer({
    ...renderer,
    configFile: false,
    root: fileURLToPath(new URL('../renderer', import.meta.url)),
    cacheDir: `${root}/node_modules/.vite`,
    server: {
      host: '127.0.0.1',
      proxy: { '/rpc': { ...toHost, ws: true }, '/blob': toHost, '/session': toHost },
    },
  });
  await server.listen();
  const [local] = server.resolvedUrls?.local ?? [];
  say(`Tieout is at ${local}${new URL(web.url).hash}`);
  say('The window follows the source; the backend is read at the next start. Ctrl-C ends it.');
  await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  await server.close();
  await web.close();
}
