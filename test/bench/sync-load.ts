import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { printMeasurement } from './measure.ts';
import type { SyncLoadResult } from './sync-load-child.ts';

const CHILD = fileURLToPath(new URL('./sync-load-child.ts', import.meta.url));
const SERVER = fileURLToPath(new URL('./page-server.ts', import.meta.url));

/** Typical duration of a page of a real service, in ms. */
const REAL_MS = 75;

/** The last state is no sync: it shows how much of the first is caused by a busy machine. */
const STATES = [
  ['syncing', 'a page of the webhooks while others come as fast as they are stored'],
  [
    'paced',
    `a page of the webhooks while others come at the pace of a service that takes ${REAL_MS} ms a page`,
  ],
  ['burning', 'a page of the webhooks while other processes take as much CPU time as the sync does'],
] as const;
const KINDS = [
  ['took', ''],
  ['working', ', less waiting for a core'],
] as const;

/** Resources of the app while it syncs this number of webhooks, and the latency of list pages meanwhile. */
export async function measureSyncLoad(rows: number): Promise<void> {
  const child = fork(CHILD, [String(rows), String(REAL_MS)]);
  const [{ peak, latency }] = (await once(child, 'message')) as [SyncLoadResult];
  await once(child, 'exit');
  const most = 300;
  const memory = `sync memory: ${rows} webhooks, writer and reader`;
  printMeasurement({
    name: memory,
    value: peak,
    unit: 'MB',
    baseline: most,
    ratio: peak / most,
    n: 1,
    spread: 0,
  });
  for (const [state, what] of STATES) {
    for (const [kind, how] of KINDS) {
      const [{ n, median, p95 }, quiet] = [latency[state][kind], latency.quiet[kind]];
      if (n === 0) continue;
      const name = `sync page latency${how}: ${what}, beside the same when all is quiet`;
      const unit = 'ms, 95th percentile';
      printMeasurement({
        name,
        value: p95,
        unit,
        baseline: quiet.p95,
        ratio: p95 / quiet.p95,
        n,
        spread: median,
      });
    }
  }
}

export async function startPageServer(...sizes: number[]): Promise<{ url: string; server: ChildProcess }> {
  const server = fork(SERVER, sizes.map(String));
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  return { url, server };
}
