import type { Host } from '../host/index.ts';
import { openInBrowser, serveWeb } from '../web/index.ts';
import type { Cli } from './act.ts';
import { builtWindow } from './built.ts';
import { wrongUsage } from './failure.ts';
import { stopped } from './interrupt.ts';

export interface Serving {
  readonly port?: number;
  /** False prints the address and opens nothing. */
  readonly open: boolean;
  /** The demo in any case; else only where no site is connected, or a demo site is kept. */
  readonly demo: boolean;
}

/** The app in the browser, until Ctrl-C or until its own window is closed. */
export async function serveApp(cli: Cli, { port = 0, open, demo }: Serving): Promise<undefined> {
  cli.stop.isUsual();
  const rendererDir = await builtWindow(cli.out.note);
  const host = await cli.session.host();
  await (demo ? host.demo?.open() : host.demo?.openIfWanted());
  if (cli.stop.signal.aborted) return;
  try {
    if (open && cli.out.format === 'table') await inBrowser(cli, host, { rendererDir, port });
    else await atAddress(cli, host, { rendererDir, port });
  } catch (error) {
    throw isTaken(error) ? wrongUsage(`Port ${port} is taken.`, 'Give another with --port, or none.') : error;
  }
}

interface Place {
  readonly rendererDir: string;
  readonly port: number;
}

function inBrowser({ environment, stop, out }: Cli, host: Host, place: Place): Promise<void> {
  const surroundings = {
    env: environment.env,
    platform: process.platform,
    root: process.getuid?.() === 0,
  };
  return openInBrowser(host, { ...place, open: true, surroundings, say: out.note, stop: stop.signal });
}

async function atAddress({ out, stop }: Cli, host: Host, place: Place): Promise<void> {
  const web = await serveWeb(host, place);
  try {
    const { url, port } = web;
    await out.document({ url, port, home: host.home }, () => [`Tieout is at ${url}`]);
    out.note('Open this address in a browser. Ctrl-C ends it.');
    await stopped(stop);
  } finally {
    await web.close();
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
