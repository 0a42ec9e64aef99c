import type { BillingClient } from '../../billing/index.ts';
import type { AllocationDraft } from '../../contract/index.ts';
import { checkAfterJob } from '../checks/check-jobs.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  type StoredChange,
  type StoredDraft,
  saveDraft,
  storedDraft,
} from '../store/allocations/allocation-draft.ts';
import { draftOf } from '../store/allocations/allocation-draft-list.ts';
import { createRunTally } from '../sync/shared/run-tally.ts';
import type { AllocationContext } from './allocation-context.ts';
import { openAllocationHistories } from './allocation-histories.ts';
import { subscribeToDraftCommands } from './draft-commands.ts';
import { refreshChangedStatements } from './refresh-statements.ts';
import {
  type AllocationPorts,
  type AllocationSendingResult,
  sendAllocationChanges,
} from './sending-engine.ts';
import { type AppliedChange, openAllocationJournal } from './sending-journal.ts';

/**
 * Milliseconds that a running request has to finish when the job is canceled. The outcome of an aborted request must be
 * looked up.
 */
const CANCEL_GRACE_MS = 600;
/** Minimum interval between progress updates in milliseconds. */
const MIN_PUBLISH_INTERVAL_MS = 100;

/** Sends a draft, then reads the changed statements again and checks them. */
export async function runSendingJob(
  tools: AllocationContext,
  open: OpenSite,
  job: JobHandle,
  draft: StoredDraft,
): Promise<AllocationSendingResult> {
  const { shell, now, pacing, changes: changeEvents } = tools;
  const tally = createRunTally();
  const connectionEnd = new AbortController();
  let posting = 0;
  const end = () => {
    if (posting === 0) connectionEnd.abort();
    else setTimeout(() => connectionEnd.abort(), CANCEL_GRACE_MS).unref();
  };
  job.signal.addEventListener('abort', end);
  const client = createSiteConnection({ shell, pacing, now }, open, {
    signal: connectionEnd.signal,
    onRequest: (event) => tally.recordRequest(event),
  });
  const histories = openAllocationHistories({
    open,
    client,
    tally,
    now,
    job: job.id,
    source: draft.source === 'file' ? 'file' : 'user',
    signal: job.signal,
  });
  const changedSubscriptions = new Set<number>();
  const commands = subscribeToDraftCommands(job);
  const ports: AllocationPorts = {
    journal: openAllocationJournal({ open, draft, user: tools.user, now }),
    histories: {
      ...histories,
      markChanged(subscription) {
        changedSubscriptions.add(subscription);
        histories.markChanged(subscription);
        changeEvents.emit(job.site, 'allocations', 'audit');
      },
    },
    async post(changes) {
      posting++;
      try {
        return await post(client, changes);
      } finally {
        posting--;
        if (posting === 0 && job.signal.aborted) connectionEnd.abort();
      }
    },
    now,
    sleep: (ms) => commands.sleep(ms),
    isPaused: () => commands.isPaused,
    publishStatus: createStatusPublisher(tools, open, job, draft.id, () => commands.isPaused),
    signal: job.signal,
    delayScale: tools.waits,
    stopAfter: draft.stop_after ?? 1,
  };
  try {
    const ending = await sendAllocationChanges(ports);
    ports.publishStatus(null, ending.state === 'stopped' ? ending.reason : null);
    if (changedSubscriptions.size > 0 && !job.signal.aborted) {
      const progress = (done: number, total: number) =>
        job.progress('statements', { done, total, failed: 0, current: null });
      const { signal } = job;
      const failed = await refreshChangedStatements({
        open,
        client,
        subscriptions: [...changedSubscriptions],
        signal,
        progress,
      });
      job.progress('statements', { failed });
      changeEvents.emit(job.site, 'statements');
      await checkAfterJob(tools, open, job, 'the changes');
    }
    return ending;
  } finally {
    job.signal.removeEventListener('abort', end);
    await client.close();
  }
}

/** Posts one change (interface 4.4) or several changes of a subscription (interface 4.5). */
async function post(
  client: BillingClient,
  changes: readonly StoredChange[],
): Promise<(AppliedChange | null)[]> {
  const [first] = changes as [StoredChange];
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

function requestedFields({ quantity, memo }: StoredChange) {
  return { quantity: quantity as number | string, ...(memo === null ? {} : { memo }) };
}

function prorationFields(change: StoredChange) {
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
  { changes }: AllocationContext,
  { books }: OpenSite,
  job: JobHandle,
  id: string,
  isPaused: () => boolean,
): AllocationPorts['publishStatus'] {
  let publishedAt = Number.NEGATIVE_INFINITY;
  let before: readonly [boolean, string | null] = [false, null];
  return (current, reason) => {
    const is = isPaused();
    const moved = is !== before[0] || reason !== before[1];
    if (!moved && current !== null && performance.now() - publishedAt < MIN_PUBLISH_INTERVAL_MS) return;
    publishedAt = performance.now();
    if (is !== before[0]) job.setPaused(is);
    before = [is, reason];
    const draft = storedDraft(books, id);
    const figures = draftOf(books, job.site, id);
    if (draft === null || figures === null) return;
    if (moved) saveDraft(books, { ...draft, state: is ? 'paused' : 'running', reason });
    job.progress('changes', { ...countDone(figures), total: figures.ready, current });
    changes.emit(job.site, 'allocations');
  };
}

/** Returns how many of a draft's changes are finished, and how many of those were not applied. */
function countDone({ outcomes }: AllocationDraft): { done: number; failed: number } {
  const failed = outcomes.refused + outcomes.moved + outcomes.undecided + outcomes.not_applied;
  return { done: outcomes.applied + failed, failed };
}
