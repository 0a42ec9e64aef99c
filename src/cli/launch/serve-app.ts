import { openInBrowser, serveWeb } from '../../web/index.ts';
import { createUsageError } from '../errors/cli-error.ts';
import type { CommandContext } from '../runtime/cli-command.ts';
import { waitForInterrupt } from '../runtime/interrupt-handler.ts';
import { buildAppWindow } from './app-build.ts';

interface ServeAppOptions {
  readonly port?: number;
  /** True opens the app in the browser. False only prints the address. */
  readonly open: boolean;
  /** True always starts the demo. False starts it only if no site is connected or if a demo site exists. */
  readonly demo: boolean;
}

/** Serves the app in the browser until Ctrl-C or until its window is closed. */
export async function serveApp(
  { environment, interrupt, output, session }: CommandContext,
  { port = 0, open, demo }: ServeAppOptions,
): Promise<undefined> {
  interrupt.setMessage(null);
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
      await waitForInterrupt(interrupt);
    } finally {
      await web.close();
    }
  } catch (error) {
    const isPortInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isPortInUse
      ? createUsageError(`Port ${port} is already in use.`, 'Choose another port with --port, or omit it.')
      : error;
  }
}
