import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import type { BackendClient } from '../../src/contract/index.ts';
import { startApp } from './app-window.ts';
import { waitForJob } from './backend-actions.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data directory with the demo site after its first sync. */
    syncedDemo: string;
  }
}

/** Syncs the demo site once for all tests, because a first sync takes longer than most tests. */
export default async function syncDemo({ provide }: TestProject): Promise<() => void> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-e2e-demo-')));
  const app = await startApp({ home });
  try {
    const { client } = app.host;
    for (const { site, id } of await client.jobs.list({})) await waitForJob(client, site, id);
    await indexRecords(client, 'webhooks');
    await indexRecords(client, 'statements');
  } finally {
    await app.close();
  }
  provide('syncedDemo', home);
  return () => rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function indexRecords(client: BackendClient, of: 'webhooks' | 'statements'): Promise<void> {
  while ((await client.search.catchUp({ site: 'demo', of }))[of] > 0);
}

/** Copies the synced demo into an empty data directory. */
export function copySyncedDemo(home: string): void {
  cpSync(inject('syncedDemo'), home, { recursive: true });
}
