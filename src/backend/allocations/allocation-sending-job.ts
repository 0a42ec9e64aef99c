import type { BillingClient } from '../../billing/index.ts';
import type { AllocationDraft } from '../../contract/index.ts';
import { checkAfterJob } from '../checks/check-jobs.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  findAllocationDraft,
  type StoredAllocationChange,
  type StoredAllocationDraft,
  saveAllocationDraft,
} from '../store/allocations/allocation-draft.ts';
import { getAllocationDraft } from '../store/allocations/allocation-draft-list.ts';
import { SyncTotals } from '../sync/shared/sync-totals.ts';
import type { AllocationContext } from './allocation-context.ts';
import { subscribeToDraftCommands } from './allocation-draft-commands.ts';
import { AllocationHistories } from './allocation-histories.ts';
import {
  type AllocationSendingPorts,
  type AllocationSendingResult,
  sendAllocationChanges,
} from './allocation-sending-engine.ts';
import { AllocationJournal, type AppliedAllocationChange } from './allocation-sending-journal.ts';
import { refreshChangedStatements } from './refresh-changed-statements.ts';

/** Milliseconds that a running request has to finish when the job is canceled, so that its outcome is known. */
const CANCEL_GRACE_MS = 600;
/** Minimum interval between progress updates in milliseconds. */
const MIN_PUBLISH_INTERVAL_MS = 100;

/** Sends a draft, then reads the changed statements again and checks them. */
export async function runAllocationSendingJob(
  context: AllocationContext,
  open: OpenSite,
  job: JobHandle,
  draft: StoredAllocationDraft,
): Promise<AllocationSendingResult> {
  const { now, changes: changeEvents } = context;
  const { signal } = job;
  const tally = new SyncTotals();
  const connection = openPostingConnection(context, open, job, tally);
  const { client } = connection;
  const source = draft.source === 'file' ? 'file' : 'user';
  const histories = new AllocationHistories({ open, client, tally, now, job: job.id, source, signal });
  const changedSubscriptions = new Set<number>();
  const commands = subscribeToDraftCommands(job);
  const isPaused = () => commands.isPaused;
  const publishStatus = createStatusPublisher(changeEvents, open, job, { id: draft.id, isPaused });
  try {
    const result = await sendAllocationChanges({
      journal: new AllocationJournal({ open, draft, user: context.user, now }),
      histories,
      post: connection.post,
      markChanged(subscription) {
        changedSubscriptions.add(subscription);
        histories.markChanged(subscription);
        changeEvents.emit(job.site, 'allocations', 'audit');
      },
      now,
      sleep: commands.sleep,
      isPaused,
      publishStatus,
      signal,
      delayScale: context.delayScale,
      stopAfter: draft.stop_after ?? 1,
    });
    publishStatus(null, result.state === 'stopped' ? result.reason : null);
    if (changedSubscriptions.size > 0 && !signal.aborted) {
      const progress = (done: number, total: number) =>
        job.progress('statements', { done, total, failed: 0, current: null });
      const subscriptions = [...changedSubscriptions];
      const failed = await refreshChangedStatements({ open, client, subscriptions, signal, progress });
      job.progress('statements', { failed });
      changeEvents.emit(job.site, 'statements');
      await checkAfterJob(context, open, job, 'the changes');
    }
    return result;
  } finally {
    commands.wake();
    await connection.close();
  }
}

/** Opens a connection to the service. When the job is canceled, a running request has a short time to finish. */
function openPostingConnection(
  context: AllocationContext,
  open: OpenSite,
  job: JobHandle,
  tally: SyncTotals,
) {
  const connectionEnd = new AbortController();
  let posting = 0;
  const end = () => {
    if (posting === 0) connectionEnd.abort();
    else setTimeout(() => connectionEnd.abort(), CANCEL_GRACE_MS).unref();
  };
  job.signal.addEventListener('abort', end);
  const client = createSiteConnection(context, open, {
    signal: connectionEnd.signal,
    onRequest: (event) => tally.recordRequest(event),
  });
  return {
    client,
    async post(changes: readonly StoredAllocationChange[]): Promise<(AppliedAllocationChange | null)[]> {
      posting++;
      try {
        return await postChanges(client, changes);
      } finally {
        posting--;
        if (posting === 0 && job.signal.aborted) connectionEnd.abort();
      }
    },
    async close(): Promise<void> {
      job.signal.removeEventListener('abort', end);
      await client.close();
    },
  };
}

/** Posts one change (interface 4.4) or several changes of a subscription (interface 4.5). */
async function postChanges(
  client: BillingClient,
  changes: readonly StoredAllocationChange[],
): Promise<(AppliedAllocationChange | null)[]> {
  const [first] = changes as [StoredAllocationChange];
  const subscription = first.subscription_id as number;
  if (changes.length === 1) {
    const { item } = await client.createAllocation(subscription, first.component_id as number, {
      ...requestedFields(first),
      ...prorationFields(first),
    });
    return [item];
  }
  const { items } = await client.createAllocations(subscription, {
    allocations: changes.map((change) => ({
      component_id: change.component_id as number,
      ...requestedFields(change),
    })),
    ...prorationFields(first),
  });
  return changes.map(({ component_id }) => items.find((item) => item.component_id === component_id) ?? null);
}

function requestedFields({ quantity, memo }: StoredAllocationChange) {
  return { quantity: quantity as number | string, ...(memo === null ? {} : { memo }) };
}

function prorationFields(change: StoredAllocationChange) {
  const { proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade } = change;
  return {
    ...(upgrade === null ? {} : { proration_upgrade_scheme: upgrade }),
    ...(downgrade === null ? {} : { proration_downgrade_scheme: downgrade }),
  };
}

/**
 * Creates the function that saves and publishes a draft's status, at limited intervals or when the draft is paused,
 * resumed or has a new reason.
 */
function createStatusPublisher(
  changes: AllocationContext['changes'],
  { books }: OpenSite,
  job: JobHandle,
  { id, isPaused }: { id: string; isPaused: () => boolean },
): AllocationSendingPorts['publishStatus'] {
  let publishedAt = Number.NEGATIVE_INFINITY;
  let wasPaused = false;
  let lastReason: string | null = null;
  return (current, reason) => {
    const paused = isPaused();
    const hasChanged = paused !== wasPaused || reason !== lastReason;
    if (!hasChanged && current !== null && performance.now() - publishedAt < MIN_PUBLISH_INTERVAL_MS) return;
    publishedAt = performance.now();
    if (paused !== wasPaused) job.setPaused(paused);
    wasPaused = paused;
    lastReason = reason;
    const draft = findAllocationDraft(books, id);
    const figures = getAllocationDraft(books, job.site, id);
    if (draft === null || figures === null) return;
    if (hasChanged) saveAllocationDraft(books, { ...draft, state: paused ? 'paused' : 'running', reason });
    job.progress('changes', { ...countDone(figures), total: figures.ready, current });
    changes.emit(job.site, 'allocations');
  };
}

/** Returns how many of a draft's changes are finished, and how many of those were not applied. */
function countDone({ outcomes }: AllocationDraft): { done: number; failed: number } {
  const failed = outcomes.refused + outcomes.quantity_changed + outcomes.undecided + outcomes.not_applied;
  return { done: outcomes.applied + failed, failed };
}
