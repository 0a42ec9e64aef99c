import type { BillingClient } from '../../billing/index.ts';
import type { AllocationDraft } from '../../contract/index.ts';
import { checkAfterJob } from '../checks/checks.ts';
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
import { createTally } from '../sync/shared/tally.ts';
import { type AllocationPorts, type SendingEnd, sendChanges } from './engine.ts';
import { openAllocationHistories } from './histories.ts';
import { type AppliedChange, openAllocationJournal } from './journal.ts';
import { refreshChangedStatements } from './refresh.ts';
import type { AllocationContext } from './tools.ts';
import { subscribeToDraftCommands } from './wishes.ts';

/**
 * Milliseconds for which a running request may finish when a job is canceled. If it is aborted, its outcome must be
 * looked up.
 */
const GRACE_MS = 600;
/** Minimum milliseconds between progress updates. */
const SHOWN_MS = 100;

/** Sends a recorded draft, then reads and checks the statements it changed. */
export async function runSendingJob(
  tools: AllocationContext,
  open: OpenSite,
  job: JobHandle,
  draft: StoredDraft,
): Promise<SendingEnd> {
  const { shell, now, pacing, changes: told } = tools;
  const tally = createTally();
  const lifeline = new AbortController();
  let posting = 0;
  const end = () => {
    if (posting === 0) lifeline.abort();
    else setTimeout(() => lifeline.abort(), GRACE_MS).unref();
  };
  job.signal.addEventListener('abort', end);
  const client = createSiteConnection({ shell, pacing, now }, open, {
    signal: lifeline.signal,
    onRequest: (event) => tally.request(event),
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
  const touched = new Set<number>();
  const wishes = subscribeToDraftCommands(job);
  const world: AllocationPorts = {
    journal: openAllocationJournal({ open, draft, user: tools.user, now }),
    histories: {
      ...histories,
      changed(subscription) {
        touched.add(subscription);
        histories.changed(subscription);
        told.tell(job.site, 'allocations', 'audit');
      },
    },
    async post(changes) {
      posting++;
      try {
        return await post(client, changes);
      } finally {
        posting--;
        if (posting === 0 && job.signal.aborted) lifeline.abort();
      }
    },
    now,
    rest: (ms) => wishes.rest(ms),
    paused: () => wishes.paused,
    show: createShow(tools, open, job, draft.id, () => wishes.paused),
    signal: job.signal,
    waits: tools.waits,
    stopAfter: draft.stop_after ?? 1,
  };
  try {
    const ending = await sendChanges(world);
    world.show(null, ending.state === 'stopped' ? ending.reason : null);
    if (touched.size > 0 && !job.signal.aborted) {
      const progress = (done: number, total: number) =>
        job.progress('statements', { done, total, failed: 0, current: null });
      const { signal } = job;
      const failed = await refreshChangedStatements({
        open,
        client,
        subscriptions: [...touched],
        signal,
        progress,
      });
      job.progress('statements', { failed });
      told.tell(job.site, 'statements');
      await checkAfterJob(tools, open, job, 'the changes');
    }
    return ending;
  } finally {
    job.signal.removeEventListener('abort', end);
    await client.close();
  }
}

/** Posts a single change (interface 4.4) or several changes of a subscription (interface 4.5). */
async function post(
  client: BillingClient,
  changes: readonly StoredChange[],
): Promise<(AppliedChange | null)[]> {
  const [first] = changes as [StoredChange];
  const subscription = first.subscription_id as number;
  if (changes.length === 1) {
    const { item } = await client.createAllocation(subscription, first.component_id as number, {
      ...wanted(first),
      ...schemes(first),
    });
    return [item];
  }
  const { items } = await client.createAllocations(subscription, {
    allocations: changes.map((change) => ({
      component_id: change.component_id as number,
      ...wanted(change),
    })),
    ...schemes(first),
  });
  return changes.map(({ component_id }) => items.find((item) => item.component_id === component_id) ?? null);
}

function wanted({ quantity, memo }: StoredChange) {
  return { quantity: quantity as number | string, ...(memo === null ? {} : { memo }) };
}

function schemes(change: StoredChange) {
  const { proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade } = change;
  return {
    ...(upgrade === null ? {} : { proration_upgrade_scheme: upgrade }),
    ...(downgrade === null ? {} : { proration_downgrade_scheme: downgrade }),
  };
}

/** Publishes and saves the status periodically and whenever the draft pauses, resumes or has a new reason. */
function createShow(
  { changes }: AllocationContext,
  { books }: OpenSite,
  job: JobHandle,
  id: string,
  isPaused: () => boolean,
): AllocationPorts['show'] {
  let shownAt = Number.NEGATIVE_INFINITY;
  let before: readonly [boolean, string | null] = [false, null];
  return (current, reason) => {
    const is = isPaused();
    const moved = is !== before[0] || reason !== before[1];
    if (!moved && current !== null && performance.now() - shownAt < SHOWN_MS) return;
    shownAt = performance.now();
    if (is !== before[0]) job.paused(is);
    before = [is, reason];
    const draft = storedDraft(books, id);
    const figures = draftOf(books, job.site, id);
    if (draft === null || figures === null) return;
    if (moved) saveDraft(books, { ...draft, state: is ? 'paused' : 'running', reason });
    job.progress('changes', { ...doneOf(figures), total: figures.ready, current });
    changes.tell(job.site, 'allocations');
  };
}

/** Returns how many changes of a draft are done and how many of them were not applied. */
function doneOf({ outcomes }: AllocationDraft): { done: number; failed: number } {
  const failed = outcomes.refused + outcomes.moved + outcomes.undecided + outcomes.not_applied;
  return { done: outcomes.applied + failed, failed };
}
