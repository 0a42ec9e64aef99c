import type { BillingError } from '../../billing/index.ts';
import type { SyncPart } from '../../contract/index.ts';
import { readPartState, savePart } from '../store/sync/sync-unit.ts';
import { syncAllocations } from './allocations/allocations.ts';
import { syncPdfs } from './pdf-sync.ts';
import type { SyncContext } from './shared/sync-context.ts';
import { SyncProblems } from './shared/sync-problems.ts';
import { toUnitError } from './shared/unit-failures.ts';
import { syncStatements } from './statements/statements.ts';
import { syncWebhooks } from './webhooks/webhooks.ts';

/** Sync parts in reading order. Webhooks reveal statements and components, and statements reveal components. */
const PART_READERS: Readonly<Record<SyncPart, (context: SyncContext) => Promise<boolean>>> = {
  webhooks: syncWebhooks,
  statements: syncStatements,
  allocations: syncAllocations,
  pdf: syncPdfs,
};

/** Returns the given parts in the order in which they are read. */
export function sortSyncParts(parts: readonly SyncPart[]): SyncPart[] {
  return (Object.keys(PART_READERS) as SyncPart[]).filter((part) => parts.includes(part));
}

/** Returns the location under which a failure of a complete sync part is recorded. */
const getPartLocation = (part: SyncPart) => `all ${part === 'pdf' ? 'PDFs' : part}`;

/**
 * Reads the sync parts one after the other, even if the service fails on one. Returns true if everything is stored.
 * Throws the first failure if the server never answered like the billing service, and the last if it no longer answers.
 */
export async function syncParts(context: SyncContext, parts: readonly SyncPart[]): Promise<boolean> {
  const { site, job, tally, now } = context;
  const failures: { part: SyncPart; error: BillingError }[] = [];
  let complete = true;
  for (const part of sortSyncParts(parts)) {
    const problems = new SyncProblems(site.cache, { part, job: job.id, now });
    try {
      complete = (await PART_READERS[part](context)) && complete;
      problems.clear(getPartLocation(part));
    } catch (error) {
      const failure = toUnitError(error);
      if (failure === null) throw error;
      failures.push({ part, error: failure });
      job.progress(part, { failed: 1, current: null });
    }
  }
  const [first] = failures;
  const last = failures.at(-1);
  if (first === undefined || last === undefined) return complete;
  if (tally.answered === 0) throw first.error;
  if (tally.failureLimit.isReached() && !(await isServiceAnswering(context))) throw last.error;
  for (const { part, error } of failures) {
    tally.failed++;
    const stored = readPartState(site.cache, part);
    if (stored !== null) savePart(site.cache, part, { ...stored, complete: false });
    new SyncProblems(site.cache, { part, job: job.id, now }).record(
      getPartLocation(part),
      error.message,
      null,
    );
  }
  return false;
}

/** Returns true if the service still answers a request. */
async function isServiceAnswering({ client, job: { signal } }: SyncContext): Promise<boolean> {
  const once = { signal, maxAttempts: 1 };
  const probes = [
    () => client.listStatementIds({ page: 1 }, once),
    () => client.listWebhooks({ page: 1, per_page: 1 }, once),
  ];
  for (const probe of probes) {
    try {
      await probe();
      return true;
    } catch (error) {
      if (toUnitError(error) === null) throw error;
    }
  }
  return false;
}
