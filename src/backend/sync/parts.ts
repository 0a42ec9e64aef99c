import type { BillingError } from '../../billing/index.ts';
import type { SyncPart } from '../../contract/index.ts';
import { partState, savePart } from '../store/sync/sync-unit.ts';
import { syncAllocations } from './allocations.ts';
import type { SyncContext } from './context.ts';
import { syncPdfs } from './pdfs.ts';
import { openProblems } from './problems.ts';
import { syncStatements } from './statements.ts';
import { unitFailure } from './units.ts';
import { syncWebhooks } from './webhooks.ts';

/** In this order: webhooks tell of statements and pairs, statements of pairs, and PDFs are those of statements. */
const PARTS: Readonly<Record<SyncPart, (context: SyncContext) => Promise<boolean>>> = {
  webhooks: syncWebhooks,
  statements: syncStatements,
  allocations: syncAllocations,
  pdf: syncPdfs,
};

/** These parts, in the order in which they are read. */
export function inOrder(parts: readonly SyncPart[]): SyncPart[] {
  return (Object.keys(PARTS) as SyncPart[]).filter((part) => parts.includes(part));
}

/** The name under which it is kept that a part could not be read. */
const placeOf = (part: SyncPart) => `all ${part === 'pdf' ? 'PDFs' : part}`;

/**
 * Reads the parts one after the other; where the service fails on one, the others go on. Gives whether all that was asked
 * for is held. Throws what ends a run; the first failure, where nothing was answered as the billing service answers; the last
 * one, where it answers no more.
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

/** Whether the service still answers anything: what it gave least trouble with may be any of its lists. */
async function answers({ client, job: { signal } }: SyncContext): Promise<boolean> {
  const once = { signal, tries: 1 };
  const asks = [
    () => client.listStatementIds({ page: 1 }, once),
    () => client.listWebhooks({ page: 1, per_page: 1 }, once),
  ];
  for (const ask of asks) {
    try {
      await ask();
      return true;
    } catch (error) {
      if (unitFailure(error) === null) throw error;
    }
  }
  return false;
}
