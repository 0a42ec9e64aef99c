import { once } from 'node:events';
import { createServer } from 'node:net';
import { openInBrowser, serveWeb, waitUntilUnused } from '../../web/index.ts';
import { toPortInUseError } from '../errors/port-in-use.ts';
import type { CommandContext } from '../runtime/cli-command.ts';
import { buildAppWindow } from './app-build.ts';

interface ServeAppOptions {
  readonly port?: number;
  /** True to open the app in the browser. False to only print the address. */
  readonly open: boolean;
  /** True to start the demo in any case. False to start it only if there is no site, or if there is a demo site. */
  readonly demo: boolean;
}

/** Serves the app in the browser until Ctrl-C or until the user closes its window. */
export async function serveApp(
  { environment, interrupt, output, session }: CommandContext,
  { port = 0, open, demo }: ServeAppOptions,
): Promise<undefined> {
  interrupt.setMessage(null);
  await assertPortIsFree(port);
  const rendererDir = await buildAppWindow(output.notice);
  const host = await session.host();
  await (demo ? host.demo?.open() : host.demo?.openIfNeeded());
  if (interrupt.signal.aborted) return;
  try {
    if (open && output.format === 'table') {
      await openInBrowser(host, {
        rendererDir,
        port,
        open: true,
        browserEnvironment: {
          env: environment.env,
          platform: process.platform,
          root: process.getuid?.() === 0,
        },
        printLine: output.notice,
        stopSignal: interrupt.signal,
      });
      return;
    }
    const web = await serveWeb(host, { rendererDir, port });
    try {
      const address = { url: web.url, port: web.port, home: host.home };
      await output.document(address, () => [`Tieout is running at ${web.url}`]);
      output.notice('Open this address in a browser. Press Ctrl-C to stop.');
      await waitUntilUnused(host, web, { printLine: output.notice, stopSignal: interrupt.signal });
    } finally {
      await web.close();
    }
  } catch (error) {
    throw toPortInUseError(error) ?? error;
  }
}

/** Throws `validation` if another program listens on the port. Runs before the app is built and the data is opened. */
async function assertPortIsFree(port: number): Promise<void> {
  const server = createServer().listen({ host: '127.0.0.1', port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw toPortInUseError(error) ?? error;
  }
  server.close();
  await once(server, 'close');
}
