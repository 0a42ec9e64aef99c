import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import type { AppHost } from '../../host/index.ts';
import { type OpenInBrowserOptions, serveWeb } from '../../web/index.ts';
import { appRoot } from '../runtime/app-paths.ts';

/**
 * Serves the window from source with live reload. Vite proxies backend requests to the browser host under the host's own
 * origin, so that its request checks stay as strict as in production.
 */
export async function serveFromSource(
  host: AppHost,
  { rendererDir, printLine: print, stopSignal }: OpenInBrowserOptions,
): Promise<void> {
  const web = await serveWeb(host, { rendererDir });
  const target = `http://127.0.0.1:${web.port}`;
  const toHost = { target, changeOrigin: true, headers: { origin: target } };
  const config = (await import('../../../electron.vite.config.ts')).default;
  const { renderer = {} } = config as { renderer?: object };
  const server = await createServer({
    ...renderer,
    configFile: false,
    root: fileURLToPath(new URL('../../renderer', import.meta.url)),
    cacheDir: `${appRoot}/node_modules/.vite`,
    server: {
      host: '127.0.0.1',
      proxy: { '/rpc': { ...toHost, ws: true }, '/blob': toHost, '/session': toHost },
    },
  });
  await server.listen();
  const [local] = server.resolvedUrls?.local ?? [];
  print(`Tieout is running at ${local}${new URL(web.url).hash}`);
  print('The window reloads when its source changes. Restart to reload the backend. Press Ctrl-C to stop.');
  await new Promise<void>((resolve) => stopSignal.addEventListener('abort', () => resolve(), { once: true }));
  await server.close();
  await web.close();
}
