import type { BillingError } from '../../billing/index.ts';
import type { SyncPart } from '../../contract/index.ts';
import { partState, savePart } from '../store/sync/sync-unit.ts';
import { syncAllocations } from './allocations/allocations.ts';
import { syncPdfs } from './pdf-part.ts';
import type { SyncContext } from './shared/context.ts';
import { openProblems } from './shared/problems.ts';
import { unitFailure } from './shared/units.ts';
import { syncStatements } from './statements/statements.ts';
import { syncWebhooks } from './webhooks/webhooks.ts';

/**
 * Order of reading. Webhooks reveal statements and subscription components, statements reveal subscription components,
 * and PDFs belong to statements.
 */
const PARTS: Readonly<Record<SyncPart, (context: SyncContext) => Promise<boolean>>> = {
  webhooks: syncWebhooks,
  statements: syncStatements,
  allocations: syncAllocations,
  pdf: syncPdfs,
};

/** Returns the given parts in the order in which they are read. */
export function inOrder(parts: readonly SyncPart[]): SyncPart[] {
  return (Object.keys(PARTS) as SyncPart[]).filter((part) => parts.includes(part));
}

/** Returns the name under which a failure of a whole part is recorded. */
const placeOf = (part: SyncPart) => `all ${part === 'pdf' ? 'PDFs' : part}`;

/**
 * Reads the parts in turn. If the service fails on one, the others continue. Returns true if everything requested is
 * stored. Throws errors that end a run: the first failure if the service never answered like the billing service, the
 * last one if it no longer answers.
 */
export async function syncParts(context: SyncContext, parts: readonly SyncPart[]): Promise<boolean> {
  const { site, job, tally, now } = context;
  const failures: { part: SyncPart; error: BillingError }[] = [];
  let complete = true;
  for (const part of inOrder(parts)) {
    const problems = openProblems(site.cache, part, job.id, now);
    try {
      complete = (await PARTS[part](context)) && complete;
      problems.solve(placeOf(part));
    } catch (error) {
      const failure = unitFailure(error);
      if (failure === null) throw error;
      failures.push({ part, error: failure });
      job.progress(part, { failed: 1, current: null });
    }
  }
  const [first] = failures;
  const last = failures.at(-1);
  if (first === undefined || last === undefined) return complete;
  if (tally.answered === 0) throw first.error;
  if (tally.strikes.hopeless() && !(await answers(context))) throw last.error;
  for (const { part, error } of failures) {
    tally.failed++;
    const kept = partState(site.cache, part);
    if (kept !== null) savePart(site.cache, part, { ...kept, complete: false });
    openProblems(site.cache, part, job.id, now).keep(placeOf(part), error.message, null);
  }
  return false;
}

/** Returns true if the service still answers, tested with the list that caused the least trouble so far. */
async function answers({ client, job: { signal } }: SyncContext): Promise<boolean> {
  const once = { signal, maxAttempts: 1 };
  const requires = [
    () => client.listStatementIds({ page: 1 }, once),
    () => client.listWebhooks({ page: 1, per_page: 1 }, once),
  ];
  for (const ask of requires) {
    try {
      await ask();
      return true;
    } catch (error) {
      if (unitFailure(error) === null) throw error;
    }
  }
  return false;
}
