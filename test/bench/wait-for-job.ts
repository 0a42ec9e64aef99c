import type { BackendClient } from '../../src/contract/index.ts';
import { SITE } from '../backend/bank/bank-bench.ts';

/** Waits until a job of the site ends. @throws its error. */
export async function waitForJob(client: BackendClient, job: string): Promise<void> {
  for await (const { error } of await client.jobs.watch({ site: SITE, job })) {
    if (error !== null) throw new Error(error.message);
  }
}
