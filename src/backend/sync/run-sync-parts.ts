import type { BillingError } from '../../billing/index.ts';
import type { SyncPart } from '../../contract/index.ts';
import { hasUnreadRecords } from '../store/sync/sync-problem.ts';
import { readSyncPartState, saveSyncPartState } from '../store/sync/sync-unit.ts';
import { syncAllocations } from './allocations/sync-allocations.ts';
import type { SyncContext } from './shared/sync-context.ts';
import { SyncProblemRecorder } from './shared/sync-problems.ts';
import { toSyncUnitError } from './shared/sync-unit-errors.ts';
import { syncStatements } from './statements/sync-statements.ts';
import { syncPdfs } from './sync-pdfs.ts';
import { syncWebhooks } from './webhooks/sync-webhooks.ts';

/** Sync parts in the order in which they are read. Earlier parts reveal records that later parts must read. */
const PART_READERS: Readonly<Record<SyncPart, (context: SyncContext) => Promise<boolean>>> = {
  webhooks: syncWebhooks,
  statements: syncStatements,
  allocations: syncAllocations,
  pdf: syncPdfs,
};

/** Sorts sync parts in the order in which they are read. */
export function sortSyncParts(parts: readonly SyncPart[]): SyncPart[] {
  return (Object.keys(PART_READERS) as SyncPart[]).filter((part) => parts.includes(part));
}

/** Returns the problem location for a failure of an entire sync part. */
const getPartLocation = (part: SyncPart) => `all ${part === 'pdf' ? 'PDFs' : part}`;

/**
 * Reads the sync parts one after another, even if the service fails on one. Returns true if all data is stored. Throws
 * the first failure if the server never responded like the billing service, or the last failure if it no longer
 * responds.
 */
export async function runSyncParts(context: SyncContext, parts: readonly SyncPart[]): Promise<boolean> {
  const { site, job, tally, now } = context;
  const failures: { part: SyncPart; error: BillingError }[] = [];
  let complete = true;
  for (const part of sortSyncParts(parts)) {
    const problems = new SyncProblemRecorder(site.cache, { part, job: job.id, now });
    try {
      complete = (await readPart(context, part, problems)) && complete;
    } catch (error) {
      const failure = toSyncUnitError(error);
      if (failure === null) throw error;
      failures.push({ part, error: failure });
      job.progress(part, { failed: 1, current: null });
    }
  }
  const [first] = failures;
  const last = failures.at(-1);
  if (first === undefined || last === undefined) return complete;
  if (tally.answered === 0) throw first.error;
  if (tally.failureLimit.isReached() && !(await isServiceResponding(context))) throw last.error;
  for (const { part, error } of failures) {
    tally.failed++;
    const stored = readSyncPartState(site.cache, part);
    if (stored !== null) saveSyncPartState(site.cache, part, { ...stored, complete: false });
    new SyncProblemRecorder(site.cache, { part, job: job.id, now }).record(
      getPartLocation(part),
      error.message,
      null,
    );
  }
  return false;
}

/** Reads a sync part. Returns true if all of its records are stored and readable. */
async function readPart(
  context: SyncContext,
  part: SyncPart,
  problems: SyncProblemRecorder,
): Promise<boolean> {
  const isRead = await PART_READERS[part](context);
  problems.clear(getPartLocation(part));
  return isRead && !hasUnreadRecords(context.site.cache, part);
}

async function isServiceResponding({ client, job: { signal } }: SyncContext): Promise<boolean> {
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
      if (toSyncUnitError(error) === null) throw error;
    }
  }
  return false;
}
