import type { Host } from '../../host/index.ts';
import { openInBrowser, serveWeb } from '../../web/index.ts';
import { usageError } from '../errors/cli-error.ts';
import type { CommandContext } from '../runtime/action-runner.ts';
import { waitForInterrupt } from '../runtime/interrupt-handler.ts';
import { buildAppWindow } from './app-build.ts';

export interface ServeAppOptions {
  readonly port?: number;
  /** True opens the app in the browser. False only prints the address. */
  readonly open: boolean;
  /** True always starts the demo. False starts it only if no site is connected or if a demo site exists. */
  readonly demo: boolean;
}

/** Serves the app in the browser until Ctrl-C or until its window is closed. */
export async function serveApp(
  cli: CommandContext,
  { port = 0, open, demo }: ServeAppOptions,
): Promise<undefined> {
  cli.interrupt.treatAsNormalEnd();
  const rendererDir = await buildAppWindow(cli.output.notice);
  const host = await cli.session.host();
  await (demo ? host.demo?.open() : host.demo?.openIfNeeded());
  if (cli.interrupt.signal.aborted) return;
  try {
    if (open && cli.output.format === 'table') await serveInBrowser(cli, host, { rendererDir, port });
    else await serveAtAddress(cli, host, { rendererDir, port });
  } catch (error) {
    throw isPortInUse(error)
      ? usageError(`Port ${port} is already in use.`, 'Choose another port with --port, or omit it.')
      : error;
  }
}

interface ServerOptions {
  readonly rendererDir: string;
  readonly port: number;
}

function serveInBrowser(
  { environment, interrupt, output }: CommandContext,
  host: Host,
  options: ServerOptions,
): Promise<void> {
  const surroundings = {
    env: environment.env,
    platform: process.platform,
    root: process.getuid?.() === 0,
  };
  return openInBrowser(host, {
    ...options,
    open: true,
    browserEnvironment: surroundings,
    printLine: output.notice,
    stopSignal: interrupt.signal,
  });
}

async function serveAtAddress(
  { output, interrupt }: CommandContext,
  host: Host,
  options: ServerOptions,
): Promise<void> {
  const web = await serveWeb(host, options);
  try {
    const { url, port } = web;
    await output.document({ url, port, home: host.home }, () => [`Tieout is running at ${url}`]);
    output.notice('Open this address in a browser. Press Ctrl-C to stop.');
    await waitForInterrupt(interrupt);
  } finally {
    await web.close();
  }
}

function isPortInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
