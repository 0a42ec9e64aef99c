import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { print } from './measure.ts';
import type { Loaded } from './syncLoadChild.ts';

const CHILD = fileURLToPath(new URL('./syncLoadChild.ts', import.meta.url));
const SERVER = fileURLToPath(new URL('./pageServer.ts', import.meta.url));

/** What the app takes, and how soon a page of the window's list comes, while it syncs so many webhooks. */
export async function measureLoad(rows: number): Promise<void> {
  const { url, server } = await serve(rows);
  const child = fork(CHILD, [url]);
  const [loaded] = (await once(child, 'message')) as [Loaded];
  await once(child, 'exit');
  server.disconnect();
  const most = 300;
  const memory = {
    name: `sync memory: ${rows} webhooks, writer and reader`,
    unit: 'MB',
    baseline: most,
    n: 1,
    spread: 0,
  };
  print({ ...memory, value: loaded.peak, ratio: loaded.peak / most });
  const latency = { unit: 'ms, 95th percentile', baseline: loaded.idle.p95, n: loaded.syncing.n };
  print({
    ...latency,
    name: `sync page latency: a page of the webhooks while ${rows} arrive, beside the same when all is quiet`,
    value: loaded.syncing.p95,
    ratio: loaded.syncing.p95 / loaded.idle.p95,
    spread: loaded.syncing.median,
  });
}

export async function serve(...sizes: number[]): Promise<{ url: string; server: ChildProcess }> {
  const server = fork(SERVER, sizes.map(String));
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  return { url, server };
}
